package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.SharedEntry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node that agrees with others, for tests of what others see of it.
 */
public final class TestEpochs implements AutoCloseable {

	static final LockRequest REQUEST = new LockRequest("a", Duration.ofSeconds(30), false);

	private final MemorySharedEntry store = new MemorySharedEntry();

	private final Epochs epochs;

	public TestEpochs(Duration lease, List<String> engines) {
		SwitchSettings settings = new SwitchSettings(lease, Duration.ofSeconds(20), Duration.ofSeconds(1),
				WhenAuthorityAway.STOP_GRANTING);
		this.epochs = new Epochs(this.store, settings, engines, EngineHealth.UNKNOWN);
	}

	public SharedEntry store() {
		return this.store;
	}

	/**
	 * Holds a lock.
	 */
	public void enter() throws InterruptedException {
		EpochTerm term = this.epochs.awaitTerm(REQUEST, () -> 0);
		assertThat(term).isNotNull();
		assertThat(term.enter()).isTrue();
	}

	/**
	 * A register with the present entry, to which nobody writes.
	 */
	public SharedEntry copyOfStore() {
		MemorySharedEntry copy = new MemorySharedEntry();
		copy.write(0, this.store.read().text());
		return copy;
	}

	@Override
	public void close() {
		this.epochs.close();
	}

}
