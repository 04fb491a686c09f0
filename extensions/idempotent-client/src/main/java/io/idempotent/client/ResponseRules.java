package io.idempotent.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/** Which responses are replays, and after which a call is repeated. */
record ResponseRules(String replayedHeader, Set<Integer> statuses, Pattern inProgress) {

	/** At any depth. Within strings a backslash precedes quotes, so no text matches. */
	static Pattern code(String... values) {
		String any = Arrays.stream(values).map(Pattern::quote).collect(Collectors.joining("|"));
		return Pattern.compile("(?<!\\\\)\"code\"\\s*:\\s*\"(?:" + any + ")\"");
	}

	/** A replayed error would be the same for each repeat. */
	CallResult resultOf(HttpStatusCode status, HttpHeaders headers, byte[] body) {
		if (IdempotentResponses.isReplay(headers, this.replayedHeader)) {
			return CallResult.REPLAY;
		}
		if (status.value() == 409 && this.inProgress.matcher(new String(body, StandardCharsets.UTF_8)).find()) {
			return CallResult.IN_PROGRESS;
		}
		return this.statuses.contains(status.value()) ? CallResult.UNAVAILABLE : CallResult.RESPONSE;
	}

}
