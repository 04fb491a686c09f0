package io.idempotent.http;

import java.io.IOException;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers with a fault that only the application with the starter has, which the check
 * has to find.
 */
@RestController
@RequestMapping("/planted")
class PlantedFaults {

	private final boolean planted;

	PlantedFaults(@Value("${twins.planted}") boolean planted) {
		this.planted = planted;
	}

	@PostMapping("/nothing")
	@ApiIdempotent
	String nothing() {
		return "seven";
	}

	@PostMapping("/byte")
	@ApiIdempotent
	String otherByte() {
		return this.planted ? "sevem" : "seven";
	}

	@PostMapping("/header")
	@ApiIdempotent
	String otherHeader(HttpServletResponse response) {
		response.setHeader("X-Order-Id", this.planted ? "8" : "7");
		return "seven";
	}

	@PostMapping("/missing-header")
	@ApiIdempotent
	String missingHeader(HttpServletResponse response) {
		if (!this.planted) {
			response.setHeader("X-Order-Id", "7");
		}
		return "seven";
	}

	@PostMapping("/status")
	@ApiIdempotent
	void otherStatus(HttpServletResponse response) {
		response.setStatus(this.planted ? 201 : 200);
	}

	@PostMapping("/framing")
	@ApiIdempotent
	void otherFraming(HttpServletResponse response) throws IOException {
		if (this.planted) {
			// Beyond what is held back, so that it goes out in chunks.
			response.getOutputStream().write(new byte[70_000]);
		}
		else {
			response.setContentLength(70_000);
			response.getOutputStream().write(new byte[70_000]);
		}
	}

	@PostMapping("/connection")
	@ApiIdempotent
	String otherConnection(HttpServletResponse response) {
		if (this.planted) {
			response.setHeader("Connection", "close");
		}
		return "seven";
	}

	@PostMapping("/no-end")
	@ApiIdempotent
	void noEnd(HttpServletResponse response) throws IOException {
		if (this.planted) {
			response.setContentLength(80_000);
		}
		response.getOutputStream().write(new byte[70_000]);
	}

	@PostMapping("/not-annotated")
	String notAnnotated() {
		return "seven";
	}

}
