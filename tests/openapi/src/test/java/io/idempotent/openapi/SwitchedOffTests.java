package io.idempotent.openapi;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the documentation of idempotent operations is switched off, the document is that
 * of springdoc alone.
 */
class SwitchedOffTests {

	@Test
	void nothingIsDocumented() {
		try (RunningShop shop = RunningShop.start("idempotent.web.openapi.enabled=false")) {
			Document document = shop.document();
			assertThat(document.idempotentPaths()).isEmpty();
			assertThat(document.root().toString()).doesNotContain("IdempotencyProblem").doesNotContain("key-missing");
		}
	}

}
