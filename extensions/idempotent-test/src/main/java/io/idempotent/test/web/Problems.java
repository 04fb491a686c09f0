package io.idempotent.test.web;

import java.util.stream.Stream;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;

import static org.assertj.core.api.Assertions.assertThat;

/** Error documents in the format of any profile. */
final class Problems {

	private Problems() {
	}

	static void assertRefused(Refusal refusal, int status, String body) {
		assertThat(body.replaceAll("\\s*:\\s*", ":"))
			.as("body of a response (status %d) that should be refused as %s", status, refusal.code())
			.containsAnyOf(Stream.of(ErrorFormat.values())
				.map((format) -> "\"code\":\"" + format.code(refusal) + "\"")
				.distinct()
				.toArray(String[]::new));
	}

}
