package io.idempotent.boot;

import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.IdempotencyTemplate.Entry;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.StoreUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/**
 * How an application ends.
 */
class GateLifecycleTests {

	private final ConnectedStore store = mock(Mockito.CALLS_REAL_METHODS);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withBean(ConnectedStore.class, () -> this.store);

	@BeforeEach
	void theStoreTakesClaimsOnly() {
		given(this.store.claim(any())).willReturn(new ClaimResult.Granted(1, false));
		given(this.store.complete(any(), any(), any())).willThrow(new StoreUnavailableException("Down", null));
		given(this.store.isRunning()).willReturn(true);
		given(this.store.getPhase()).willReturn(0);
	}

	@Test
	void pendingWritesAreFlushedBeforeConnectionsClose() {
		this.runner.run((context) -> {
			complete(context);
			clearInvocations(this.store);
			willReturn(Ownership.HELD).given(this.store).complete(any(), any(), any());
		});
		InOrder closing = inOrder(this.store);
		closing.verify(this.store).complete(any(), any(), any());
		closing.verify(this.store).stop();
	}

	@Test
	void noThreadOutlivesTheContext() {
		Set<Thread> before = threads();
		this.runner.run((context) -> {
			complete(context);
			assertThat(before.containsAll(threads())).as("no new thread").isFalse();
		});
		await().untilAsserted(() -> assertThat(before).containsAll(threads()));
	}

	private static void complete(ApplicationContext context) {
		((Entry.Proceed<?>) context.getBean(IdempotencyTemplate.class).before("order", "1")).attempt().succeeded(null);
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("idempotent-"))
			.collect(Collectors.toSet());
	}

	/** Stops as connection factories do. */
	private interface ConnectedStore extends IdempotencyStore, SmartLifecycle {

	}

}
