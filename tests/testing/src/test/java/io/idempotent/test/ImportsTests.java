package io.idempotent.test;

import java.util.Objects;

import org.junit.jupiter.api.Test;

import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The auto-configurations of {@link AutoConfigureIdempotency} are named as text.
 */
class ImportsTests {

	@Test
	void everyImportIsThere() {
		ClassLoader classes = Objects.requireNonNull(getClass().getClassLoader());
		assertThat(ImportCandidates.load(AutoConfigureIdempotency.class, classes)).hasSizeGreaterThan(5)
			.allMatch((name) -> ClassUtils.isPresent(name.replace("optional:", ""), classes));
	}

}
