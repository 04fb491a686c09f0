package io.idempotent.webmvc.internal.key;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/**
 * Issues form tokens, by default at {@code GET /token}. Not final, so that the
 * application's aspects for controllers can proxy it.
 */
@Controller
public class TokenEndpoint {

	private final DefaultIdempotencyTokens tokens;

	public TokenEndpoint(DefaultIdempotencyTokens tokens) {
		this.tokens = tokens;
	}

	@GetMapping(path = "${idempotent.token.path:/token}", produces = MediaType.APPLICATION_JSON_VALUE)
	ResponseEntity<Issued> json(HttpServletRequest request,
			@RequestParam(required = false) @Nullable String operation) {
		return uncached()
			.body(new Issued(issue(request, operation), this.tokens.header(), this.tokens.timeToLive().toSeconds()));
	}

	@GetMapping(path = "${idempotent.token.path:/token}", produces = MediaType.TEXT_PLAIN_VALUE)
	ResponseEntity<String> text(HttpServletRequest request,
			@RequestParam(required = false) @Nullable String operation) {
		return uncached().contentType(MediaType.TEXT_PLAIN).body(issue(request, operation));
	}

	private String issue(HttpServletRequest request, @Nullable String operation) {
		if (operation != null && !this.tokens.isKnown(operation)) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"There is no idempotent operation of the name in the parameter 'operation'");
		}
		return this.tokens.issue(request, operation);
	}

	private static ResponseEntity.BodyBuilder uncached() {
		return ResponseEntity.ok().cacheControl(CacheControl.noStore());
	}

	/** The token may be used for the first time within {@code expiresIn} seconds. */
	record Issued(String token, String header, long expiresIn) {
	}

}
