package io.idempotent.test.web;

import java.util.UUID;

import org.springframework.test.web.servlet.request.RequestPostProcessor;

/**
 * Adds keys and tokens to requests of MockMvc:
 *
 * <pre>
 * RequestPostProcessor key = idempotencyKey();
 * mvc.perform(post("/orders").with(key)).andExpect(notReplayed());
 * mvc.perform(post("/orders").with(key)).andExpect(replayed());
 * </pre>
 *
 * <p>
 * The names of headers are those that the application has configured.
 */
public final class IdempotencyMockMvcRequestPostProcessors {

	private IdempotencyMockMvcRequestPostProcessors() {
	}

	/**
	 * Adds a new random key. Requests that get the same post-processor have the same key.
	 */
	public static RequestPostProcessor idempotencyKey() {
		return idempotencyKey(UUID.randomUUID().toString());
	}

	/** Adds a key, as a client sends it. */
	public static RequestPostProcessor idempotencyKey(String key) {
		return (request) -> {
			request.addHeader(HttpNames.in(request.getServletContext()).keyHeader(), key);
			return request;
		};
	}

	/**
	 * Adds a token that the application has issued to the caller of the request. The
	 * token endpoint is asked for the first request, with its current caller, session and
	 * headers, so a post-processor that authenticates must come before this one. Requests
	 * that get the same post-processor have the same token.
	 */
	public static RequestPostProcessor idempotencyToken() {
		return new TokenRequestPostProcessor();
	}

}
