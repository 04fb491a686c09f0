package io.idempotent.http;

import java.io.IOException;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers with a fault that only the application with the starter has, which the check
 * has to find.
 */
@RestController
@RequestMapping("/planted")
@ApiIdempotent
class PlantedFaults {

	private final boolean planted;

	PlantedFaults(@Value("${twins.planted}") boolean planted) {
		this.planted = planted;
	}

	@PostMapping("/{fault}")
	void answer(@PathVariable("fault") String fault, HttpServletResponse response) throws IOException {
		String there = this.planted ? fault : "nothing";
		response.setStatus(there.equals("status") ? 201 : 200);
		if (!there.equals("missing-header")) {
			response.setHeader("X-Order-Id", there.equals("header") ? "8" : "7");
		}
		if (there.equals("connection")) {
			response.setHeader("Connection", "close");
		}
		if (there.equals("no-end")) {
			response.setContentLength(80_000);
		}
		else if (fault.equals("framing") && there.equals("nothing")) {
			response.setContentLength(70_000);
		}
		if (fault.equals("framing") || fault.equals("no-end")) {
			// Beyond what is held back, so that it goes out in chunks.
			response.getOutputStream().write(new byte[70_000]);
			return;
		}
		response.getOutputStream().print(there.equals("byte") ? "sevem" : "seven");
	}

}
