package io.idempotent.boot;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of operations that are HTTP requests.
 *
 * @param keyHeader Name of the request header that carries a key chosen by the caller.
 * @param replayedHeader Name of the response header that marks a replayed response.
 * @param replayHeaders Response headers that are stored and replayed, besides the content
 * type. All by default. Cookies, authentication headers and headers of a single
 * connection are never replayed.
 * @param maxRequestBody Maximum size of a request body whose fingerprint is needed. A
 * larger request is refused. Files of a multipart request do not count.
 * @param maxRequestTokens Maximum number of values, names and brackets in a JSON request
 * body. A request with more is refused.
 * @param maxResponseBody Maximum size of a stored response body. A larger response is not
 * stored, and its duplicates are refused as "response-unavailable".
 * @param bindToSession Whether a key belongs to the HTTP session as well as to the
 * caller.
 * @param problemBase Prefix of the type of a problem, followed by its code. If it is the
 * URL of your documentation, each refusal also has a "Link" header.
 * @param filterOrder Order of the filter. It must come after the filter of Spring
 * Security, whose order is -100.
 * @param drainTime How long a stopping application keeps responding, and asks its clients
 * to close their connections, before the web server closes its port.
 * @param forms Forms of server-rendered pages.
 */
record WebProperties(@DefaultValue("Idempotency-Key") String keyHeader,
		@DefaultValue("Idempotency-Replayed") String replayedHeader, @DefaultValue("*") List<String> replayHeaders,
		@DefaultValue("1MB") DataSize maxRequestBody, @DefaultValue("200000") long maxRequestTokens,
		@DefaultValue("256KB") DataSize maxResponseBody, @DefaultValue("false") boolean bindToSession,
		@DefaultValue("urn:idempotent:problem:") String problemBase, @DefaultValue("-50") int filterOrder,
		@DefaultValue("0s") Duration drainTime, @DefaultValue Forms forms) {

	WebProperties {
		PropertyAssertions.headerName("idempotent.web.key-header", keyHeader);
		PropertyAssertions.headerName("idempotent.web.replayed-header", replayedHeader);
		replayHeaders.forEach((header) -> PropertyAssertions.headerName("idempotent.web.replay-headers", header));
		PropertyAssertions.that(!drainTime.isNegative(), "idempotent.web.drain-time", drainTime,
				"it must not be negative", "Give a time such as 2s, or 0 to close the port immediately");
		PropertyAssertions.fitsInMemory("idempotent.web.max-request-body", maxRequestBody);
		PropertyAssertions.that(maxRequestTokens > 0, "idempotent.web.max-request-tokens", maxRequestTokens,
				"it must be at least 1", "Give the number of values that a request may have, such as 200000");
		PropertyAssertions.fitsInMemory("idempotent.web.max-response-body", maxResponseBody);
		PropertyAssertions.uriPrefix("idempotent.web.problem-base", problemBase);
	}

	/**
	 * Properties of forms of server-rendered pages.
	 *
	 * @param enabled Whether forms that submit an operation with a token get a hidden
	 * field with one. Thymeleaf and Spring's JSP tags add it.
	 * @param resend Whether the page of a refused form offers to send its entries again
	 * with a new token, if its token was the only reason.
	 * @param secretFields Names of form fields that such a page asks for again instead of
	 * keeping their values, besides those recognised by their names, such as passwords.
	 */
	record Forms(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean resend,
			@DefaultValue List<String> secretFields) {
	}

}
