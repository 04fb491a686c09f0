package io.idempotent.webmvc.internal.operation;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import io.idempotent.IdempotencyProfile.Protocol;
import io.idempotent.Refusal;

/**
 * The settings that are the same for every HTTP operation. An asterisk in
 * {@code replayHeaders} stands for all that may be replayed; {@code maxResponseBody} is
 * in bytes; {@code problemBase} precedes the code in a problem's type.
 */
public record HttpSettings(String namespace, String keyHeader, String tokenHeader, String tokenParameter,
		List<String> replayHeaders, int maxRequestBody, int maxResponseBody, boolean bindToSession, String problemBase,
		Protocol protocol) {

	/**
	 * The response header with the seconds for which a header key is remembered, counted
	 * from when the request was sent: the value is too small at most.
	 */
	public static final String TTL_HEADER = "Idempotency-TTL";

	/** Headers of one connection, caller or response, which are never stored. */
	private static final Set<String> NEVER = Set.of("set-cookie", "set-cookie2", "www-authenticate",
			"proxy-authenticate", "authentication-info", "proxy-authentication-info", "authorization", "connection",
			"keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "content-length", "date",
			"idempotency-ttl");

	/** Headers that let whoever has them act as the caller: never stored either. */
	private static final Pattern CREDENTIAL = Pattern.compile(
			"(x-)?(((auth|access|refresh|id|session|csrf|xsrf|api|amz-security|jwt|bearer|user|subject|vault|remember-me)-)?"
					+ "token|jwt|api-key|client-secret|(set-)?authorization)",
			Pattern.CASE_INSENSITIVE);

	private static final String ALL = "*";

	public HttpSettings {
		replayHeaders = List.copyOf(replayHeaders);
	}

	public String replayedHeader() {
		return this.protocol.replayedHeader();
	}

	public int status(Refusal refusal) {
		Integer status = this.protocol.statuses().get(refusal);
		return (status != null) ? status : defaultStatus(refusal);
	}

	/** The status of a refusal that neither a profile nor the application has changed. */
	public static int defaultStatus(Refusal refusal) {
		return switch (refusal) {
			case KEY_MISSING, KEY_MALFORMED -> 400;
			case DUPLICATE, RESPONSE_UNAVAILABLE, IN_PROGRESS, OUTCOME_UNKNOWN, TOKEN_UNKNOWN, LOCKED -> 409;
			case CALLER_UNNAMED -> 403;
			case BODY_TOO_LARGE -> 413;
			case KEY_REUSED -> 422;
			case BODY_UNREADABLE, RECORD_UNREADABLE, LOCK_LOST -> 500;
			case STORE_UNAVAILABLE, LOCK_UNAVAILABLE, LOCK_LOST_ROLLED_BACK -> 503;
		};
	}

	public static boolean mayReplay(String name) {
		return !NEVER.contains(name.toLowerCase(Locale.ROOT)) && !CREDENTIAL.matcher(name).matches();
	}

	public boolean replays(String name) {
		for (String header : this.replayHeaders) {
			if (header.equals(ALL) || header.equalsIgnoreCase(name)) {
				return mayReplay(name);
			}
		}
		return false;
	}

}
