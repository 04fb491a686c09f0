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
	 * Adds a new key. Requests that get the same post-processor have the same key.
	 * @return a post-processor with a random key
	 */
	public static RequestPostProcessor idempotencyKey() {
		return idempotencyKey(UUID.randomUUID().toString());
	}

	/**
	 * Adds a key.
	 * @param key the key, as a client sends it
	 * @return a post-processor with this key
	 */
	public static RequestPostProcessor idempotencyKey(String key) {
		return (request) -> {
			request.addHeader(HttpNames.in(request.getServletContext()).keyHeader(), key);
			return request;
		};
	}

	/**
	 * Adds a token that the application has issued to the caller of the request. It is
	 * fetched from the token endpoint with the current caller, session and headers of the
	 * request, so a post-processor that authenticates must come before this one. Requests
	 * that get the same post-processor have the same token.
	 * @return a post-processor that fetches a token for its first request
	 */
	public static RequestPostProcessor idempotencyToken() {
		return new TokenRequestPostProcessor();
	}

}
