package io.idempotent.http;

import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * Handlers whose answers are on purpose not those of their twins.
 */
@Controller
@RequestMapping("/promises")
class Promises {

	@PostMapping("/lost-database")
	@ApiIdempotent
	void lostDatabase() {
		throw new IllegalStateException("not booked", new EOFException("the server closed the connection"));
	}

	@PostMapping("/reset-database")
	@ApiIdempotent
	void resetDatabase() throws IOException {
		throw new IOException("Connection reset by peer");
	}

	@PostMapping("/lost-database-later")
	@ApiIdempotent
	@ResponseBody
	CompletableFuture<String> lostDatabaseLater() {
		return CompletableFuture.failedFuture(new IllegalStateException("not booked", new EOFException()));
	}

	@PostMapping("/broken-after-flush")
	@ApiIdempotent
	void brokenAfterFlush(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("paid");
		response.flushBuffer();
		throw new IllegalStateException("broken");
	}

}
