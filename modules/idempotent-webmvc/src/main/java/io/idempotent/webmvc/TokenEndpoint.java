package io.idempotent.webmvc;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.StoreUnavailableException;
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

	static final String OPERATION = "token";

	private final TokenMint tokens;

	private final CallerScope callers;

	private final Operations operations;

	private final String header;

	TokenEndpoint(TokenMint tokens, CallerScope callers, Operations operations, String header) {
		this.tokens = tokens;
		this.callers = callers;
		this.operations = operations;
		this.header = header;
	}

	@GetMapping(path = "${idempotent.token.path:/token}", produces = MediaType.APPLICATION_JSON_VALUE)
	ResponseEntity<Issued> json(HttpServletRequest request,
			@RequestParam(required = false) @Nullable String operation) {
		return uncached().body(new Issued(mint(request, operation), this.header, this.tokens.timeToLive().toSeconds()));
	}

	@GetMapping(path = "${idempotent.token.path:/token}", produces = MediaType.TEXT_PLAIN_VALUE)
	ResponseEntity<String> text(HttpServletRequest request,
			@RequestParam(required = false) @Nullable String operation) {
		return uncached().contentType(MediaType.TEXT_PLAIN).body(mint(request, operation));
	}

	private String mint(HttpServletRequest request, @Nullable String operation) {
		if (operation != null && !this.operations.isKnown(operation)) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"There is no idempotent operation of the name in the parameter 'operation'");
		}
		try {
			return this.tokens.mint(this.callers.of(request, true, OPERATION),
					(operation != null) ? operation : TokenMint.ANY_OPERATION);
		}
		catch (StoreUnavailableException ex) {
			throw new SubmissionRefusedException(Refusal.STORE_UNAVAILABLE, OPERATION);
		}
	}

	private static ResponseEntity.BodyBuilder uncached() {
		return ResponseEntity.ok().cacheControl(CacheControl.noStore());
	}

	/**
	 * The response.
	 *
	 * @param token the token
	 * @param header the header to send it in
	 * @param expiresIn the seconds in which it may be used for the first time
	 */
	record Issued(String token, String header, long expiresIn) {
	}

}
