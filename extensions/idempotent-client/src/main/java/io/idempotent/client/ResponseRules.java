package io.idempotent.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/** Which responses are replays, and after which a call is repeated. */
record ResponseRules(Set<Integer> statuses, Pattern inProgress) {

	/** Of this library, and of Stripe. */
	private static final List<String> REPLAYED_HEADERS = List.of("Idempotency-Replayed", "Idempotent-Replayed");

	/** At any depth. Within strings a backslash precedes quotes, so no text matches. */
	static Pattern code(String... values) {
		String any = Arrays.stream(values).map(Pattern::quote).collect(Collectors.joining("|"));
		return Pattern.compile("(?<!\\\\)\"code\"\\s*:\\s*\"(?:" + any + ")\"");
	}

	/** Not if the header is {@code false}. */
	static boolean isReplay(HttpHeaders headers) {
		return REPLAYED_HEADERS.stream()
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
