package io.idempotent.http;

import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;

import org.springframework.http.ResponseEntity;
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

	@PostMapping("/session-in-type")
	@ApiIdempotent
	ResponseEntity<String> sessionInType(HttpSession session) {
		return ResponseEntity.ok().header("Content-Type", "text/plain;session=" + session.getId()).body("paid");
	}

	@PostMapping("/session-in-boundary")
	@ApiIdempotent
	void sessionInBoundary(HttpSession session, HttpServletResponse response) throws IOException {
		response.setContentType("multipart/mixed; boundary=" + session.getId());
		response.getOutputStream().print("paid");
	}

	@PostMapping("/session-in-name")
	@ApiIdempotent
	ResponseEntity<String> sessionInName(HttpSession session) {
		return ResponseEntity.ok().header("X-" + session.getId(), "mine").body("paid");
	}

	@PostMapping("/session-in-message")
	@ApiIdempotent
	void sessionInMessage(HttpSession session, HttpServletResponse response) throws IOException {
		response.sendError(HttpServletResponse.SC_ACCEPTED, "paid in " + session.getId());
	}

	@PostMapping("/broken-after-flush")
	@ApiIdempotent
	void brokenAfterFlush(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("paid");
		response.flushBuffer();
		throw new IllegalStateException("broken");
	}

}
