package io.idempotent.test.web;

import io.idempotent.Refusal;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Problem documents.
 */
final class Problems {

	private Problems() {
	}

	static void assertRefused(Refusal refusal, int status, String body) {
		assertThat(body.replaceAll("\\s*:\\s*", ":"))
			.as("body of a response (status %d) that should be refused as %s", status, refusal.code())
			.contains("\"code\":\"" + refusal.code() + "\"");
	}

}
