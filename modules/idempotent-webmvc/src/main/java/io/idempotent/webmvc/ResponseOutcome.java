package io.idempotent.webmvc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.store.Outcome;
import io.idempotent.webmvc.OperationHeaders.Header;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Makes the outcome of an answer that is held back: the answer itself, or a tombstone
 * where it must not be given to a repeat.
 */
final class ResponseOutcome {

	private ResponseOutcome() {
	}

	/**
	 * Records an answer.
	 * @param request the request
	 * @param response the response that holds the answer
	 * @param body its body
	 * @param settings which headers are kept
	 * @return the outcome
	 */
	static Outcome of(HttpServletRequest request, BufferedResponse response, byte[] body, HttpSettings settings) {
		int status = response.getStatus();
		if (isAboutRangeOrCondition(status) || !StoredResponse.canHave(status)) {
			return Outcome.TOMBSTONE;
		}
		SessionIds sessions = SessionIds.of(request);
		List<Header> headers = headers(response, settings, sessions);
		if (headers == null || sessions.mayBeIn(body, response.getHeader(HttpHeaders.CONTENT_ENCODING))) {
			return Outcome.TOMBSTONE;
		}
		StoredResponse answer = answer(response.ending(), status, headers, body);
		// The body of an error page is its message.
		return (answer.body() != body && sessions.mayBeIn(answer.body(), null)) ? Outcome.TOMBSTONE
				: Outcome.stored(answer.encode());
	}

	/**
	 * Records an error that the container answers.
	 * @param status the status
	 * @return the outcome
	 */
	static Outcome ofError(int status) {
		return Outcome.stored(new StoredResponse(StoredResponse.Form.ERROR, status, List.of(), new byte[0]).encode());
	}

	/**
	 * Whether it answers a range or a condition, which the repeat may not have.
	 */
	private static boolean isAboutRangeOrCondition(int status) {
		return status == HttpServletResponse.SC_PARTIAL_CONTENT || status == HttpServletResponse.SC_NOT_MODIFIED
				|| status == HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE;
	}

	private static StoredResponse answer(ResponseEnd ending, int status, List<Header> headers, byte[] body) {
		if (ending instanceof ResponseEnd.ErrorPage error) {
			String message = (error.message() != null) ? error.message() : "";
			return new StoredResponse(StoredResponse.Form.ERROR, error.status(), headers,
					message.getBytes(StandardCharsets.UTF_8));
		}
		return (ending instanceof ResponseEnd.Redirect redirect)
				? new StoredResponse(StoredResponse.Form.REDIRECT, redirect.status(), headers, body)
				: new StoredResponse(StoredResponse.Form.BODY, status, headers, body);
	}

	private static @Nullable List<Header> headers(BufferedResponse response, HttpSettings settings,
			SessionIds sessions) {
		List<Header> headers = new ArrayList<>(4);
		String contentType = response.getContentType();
		if (contentType != null && !(response.ending() instanceof ResponseEnd.ErrorPage)) {
			if (sessions.areIn(contentType)) {
				return null;
			}
			headers.add(new Header(HttpHeaders.CONTENT_TYPE, contentType, true));
		}
		for (Header header : response.headers(settings::replays)) {
			String value = sessions.strip(header.value());
			if (sessions.areIn(value) || sessions.areIn(header.name())) {
				return null;
			}
			headers.add(new Header(header.name(), value, header.set()));
		}
		return headers;
	}

}
