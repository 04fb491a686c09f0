package io.idempotent.method;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

import io.idempotent.OutcomeRecoverer;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.FaultyStore.Fault;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a recoverer of the application may return and throw.
 */
class ResultRecoveryTests {

	private static final Method METHOD = ClassUtils.getMethod(Comparable.class, "compareTo", Object.class);

	@Test
	void aValueOfTheTypeOfTheMethodIsTheResult() {
		assertThat(recovered((asked) -> Optional.of(42))).isEqualTo(42);
		assertThat(recovered((asked) -> Optional.of("42"))).isNull();
		assertThat(recovered((asked) -> Optional.empty())).isNull();
	}

	/** In Kotlin, checked exceptions are not declared. */
	@Test
	void nothingIsRecoveredWhateverTheRecovererThrows() {
		for (Throwable failure : List.of(new IllegalStateException(), new IOException(), new StackOverflowError())) {
			assertThat(recovered((asked) -> {
				Fault.sneak(failure);
				return Optional.of(42);
			})).isNull();
		}
	}

	private static @Nullable Object recovered(OutcomeRecoverer recoverer) {
		var result = new ResultRecovery(recoverer, METHOD, "pay")
			.recover(OperationKey.of("shop", "pay", List.of(), "a"), "a", new Object[0]);
		return (result != null) ? result.value() : null;
	}

}
