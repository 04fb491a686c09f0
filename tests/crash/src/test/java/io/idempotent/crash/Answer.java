package io.idempotent.crash;

import java.net.http.HttpResponse;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What a client was told.
 *
 * @param word {@code runs}, {@code replayed}, or the code of the problem
 * @param effect the effect that was acknowledged, or {@code null} if none was
 */
record Answer(String word, @Nullable Long effect) {

	static final String RUNS = "runs";

	static final String REPLAYED = "replayed";

	private static final Pattern CODE = Pattern.compile("\"code\":\"([a-z-]+)\"");

	private static final Set<String> TRY_AGAIN = Set.of("in-progress", "store-unavailable");

	static Answer of(HttpResponse<String> response) {
		if (response.statusCode() == 200) {
			boolean replayed = response.headers().firstValue("Idempotency-Replayed").isPresent();
			return new Answer(replayed ? REPLAYED : RUNS, Long.valueOf(response.body()));
		}
		Matcher code = CODE.matcher(response.body());
		return new Answer(code.find() ? code.group(1) : "status " + response.statusCode(), null);
	}

	/**
	 * Whether a client that was told this has no reason to come again.
	 * @return whether it is the last word
	 */
	boolean isFinal() {
		return !TRY_AGAIN.contains(this.word);
	}

}
