package io.idempotent.boot.internal.properties;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.idempotent.IdempotencyProfile;
import io.idempotent.IdempotencyProfile.Protocol;
import io.idempotent.Refusal;
import io.idempotent.boot.settings.PropertyAssertions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of operations that are HTTP requests.
 *
 * @param profile Protocol of the key header: this library's own, the IETF draft, Stripe's
 * or the agentic-commerce protocol. It chooses the defaults of the settings that say so.
 * @param keyHeader Name of the request header that carries a key chosen by the caller.
 * @param keyRequired Whether a request without the key header is refused. Otherwise its
 * operation runs unprotected. Defaults to that of the profile.
 * @param status Statuses of refusals by their codes, such as "key-reused". Those of the
 * profile by default.
 * @param replayHeaders Response headers that are stored and replayed, besides the content
 * type. All by default. Cookies, authentication headers and headers of a single
 * connection are never replayed.
 * @param maxRequestBody Maximum size of a request body whose fingerprint is needed. A
 * larger request is refused. Files of a multipart request do not count.
 * @param maxResponseBody Maximum size of a stored response body. A larger response is not
 * stored, and its duplicates are refused as "response-unavailable".
 * @param bindToSession Whether a key belongs to the HTTP session as well as to the
 * caller.
 * @param problemBase Prefix of the type of a problem, followed by its code. If it is the
 * URL of your documentation, each refusal also has a "Link" header.
 * @param filterOrder Order of the filter. It must come after the filter of Spring
 * Security, whose order is -100.
 */
public record WebProperties(@DefaultValue("idempotent") IdempotencyProfile profile,
		@DefaultValue("Idempotency-Key") String keyHeader, @Nullable Boolean keyRequired,
		@DefaultValue Map<Refusal, Integer> status, @DefaultValue("*") List<String> replayHeaders,
		@DefaultValue("1MB") DataSize maxRequestBody, @DefaultValue("256KB") DataSize maxResponseBody,
		@DefaultValue("false") boolean bindToSession, @DefaultValue("urn:idempotent:problem:") String problemBase,
		@DefaultValue("-50") int filterOrder) {

	public WebProperties {
		PropertyAssertions.headerName("idempotent.web.key-header", keyHeader);
		status.forEach((refusal, code) -> PropertyAssertions.that(code >= 400 && code <= 599,
				"idempotent.web.status." + refusal.code(), code, "it is not the status of an error",
				"Give a status between 400 and 599"));
		replayHeaders.forEach((header) -> PropertyAssertions.headerName("idempotent.web.replay-headers", header));
		PropertyAssertions.fitsInMemory("idempotent.web.max-request-body", maxRequestBody);
		PropertyAssertions.fitsInMemory("idempotent.web.max-response-body", maxResponseBody);
	}

	/**
	 * The protocol of the profile, with what is set explicitly.
	 */
	public Protocol protocol() {
		Protocol chosen = this.profile.protocol();
		Map<Refusal, Integer> statuses = new EnumMap<>(Refusal.class);
		statuses.putAll(chosen.statuses());
		statuses.putAll(this.status);
		return new Protocol(chosen.replayedHeader(), chosen.keySyntax(),
				(this.keyRequired != null) ? this.keyRequired : chosen.keyRequired(), chosen.echoKey(),
				chosen.numberComparison(), chosen.replayErrors(), chosen.errorFormat(), statuses);
	}

}
