package io.idempotent.webmvc.internal.response;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.idempotent.store.Outcome;
import io.idempotent.webmvc.internal.response.OperationHeaders.Header;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Creates the outcome of a response that is held back: the stored response, or a
 * tombstone if a repeat must not receive it.
 */
final class ResponseOutcome {

	private ResponseOutcome() {
	}

	/**
	 * Creates the outcome of a response.
	 * @param secrets texts that a repeat must not receive
	 * @param response the response that is held back
	 * @param body its body
	 * @param replayed which headers are stored and replayed
	 */
	static Outcome of(CallerSecrets secrets, BufferedResponse response, byte[] body, Predicate<String> replayed) {
		int status = response.getStatus();
		if (isAboutRangeOrCondition(status) || !StoredResponse.canHave(status)) {
			return Outcome.TOMBSTONE;
		}
		List<Header> headers = headers(response, replayed, secrets);
		if (headers == null || secrets.mayBeIn(body, response.getHeader(HttpHeaders.CONTENT_ENCODING))) {
			return Outcome.TOMBSTONE;
		}
		StoredResponse stored = stored(response.end(), status, headers, body);
		// The body of a stored error page is its message.
		return (stored.body() != body && secrets.mayBeIn(stored.body(), null)) ? Outcome.TOMBSTONE
				: Outcome.stored(stored.encode());
	}

	/**
	 * Creates the outcome of an error page that the container renders.
	 * @param status the status
	 */
	static Outcome ofError(int status) {
		return Outcome.stored(new StoredResponse(StoredResponse.Form.ERROR, status, List.of(), new byte[0]).encode());
	}

	/**
	 * Whether the response depends on a range or condition, which a repeat need not send.
	 */
	private static boolean isAboutRangeOrCondition(int status) {
		return status == HttpServletResponse.SC_PARTIAL_CONTENT || status == HttpServletResponse.SC_NOT_MODIFIED
				|| status == HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE;
	}

	private static StoredResponse stored(ResponseEnd end, int status, List<Header> headers, byte[] body) {
		if (end instanceof ResponseEnd.ErrorPage error) {
			String message = (error.message() != null) ? error.message() : "";
			return new StoredResponse(StoredResponse.Form.ERROR, error.status(), headers,
					message.getBytes(StandardCharsets.UTF_8));
		}
		return (end instanceof ResponseEnd.Redirect redirect)
				? new StoredResponse(StoredResponse.Form.REDIRECT, redirect.status(), headers, body)
				: new StoredResponse(StoredResponse.Form.BODY, status, headers, body);
	}

	private static @Nullable List<Header> headers(BufferedResponse response, Predicate<String> replayed,
			CallerSecrets secrets) {
		List<Header> headers = new ArrayList<>(4);
		String contentType = response.getContentType();
		if (contentType != null && !(response.end() instanceof ResponseEnd.ErrorPage)) {
			if (secrets.areIn(contentType)) {
				return null;
			}
			headers.add(new Header(HttpHeaders.CONTENT_TYPE, contentType, true));
		}
		for (Header header : response.headers(replayed)) {
			String value = secrets.strip(header.value());
			if (secrets.areIn(value) || secrets.areIn(header.name())) {
				return null;
			}
			headers.add(new Header(header.name(), value, header.set()));
		}
		return headers;
	}

}
