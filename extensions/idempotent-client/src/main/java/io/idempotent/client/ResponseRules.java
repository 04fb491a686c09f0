package io.idempotent.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/** Which responses are replays, and after which a call is repeated. */
record ResponseRules(String replayedHeader, Set<Integer> statuses, Pattern inProgress) {

	private static final String STRIPE_HEADER = "Idempotent-Replayed";

	/** At any depth. Within strings a backslash precedes quotes, so no text matches. */
	static Pattern code(String... values) {
		String any = Arrays.stream(values).map(Pattern::quote).collect(Collectors.joining("|"));
		return Pattern.compile("(?<!\\\\)\"code\"\\s*:\\s*\"(?:" + any + ")\"");
	}

	/**
	 * By the header of the settings, or one that is common. Not if it is {@code false}.
	 */
	boolean isReplay(HttpHeaders headers) {
		return Stream.of(this.replayedHeader, IdempotentClientSettings.REPLAYED_HEADER, STRIPE_HEADER)
			.map(headers::getFirst)
			.anyMatch((value) -> value != null && !"false".equalsIgnoreCase(value.trim()));
	}

	/** A replayed error would be the same for each repeat. */
	CallResult resultOf(HttpStatusCode status, HttpHeaders headers, byte[] body) {
		if (isReplay(headers)) {
			return CallResult.REPLAY;
		}
		if (status.value() == 409 && this.inProgress.matcher(new String(body, StandardCharsets.UTF_8)).find()) {
			return CallResult.IN_PROGRESS;
		}
		return this.statuses.contains(status.value()) ? CallResult.UNAVAILABLE : CallResult.RESPONSE;
	}

}
