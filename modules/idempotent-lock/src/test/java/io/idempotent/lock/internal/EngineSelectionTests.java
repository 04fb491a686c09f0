package io.idempotent.lock.internal;

import java.util.List;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.Renewal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Which engine a lock is taken on, without switching.
 */
class EngineSelectionTests {

	private final FakeEngine first = FakeEngine.withLeases("first");

	private final FakeEngine second = FakeEngine.withLeases("second");

	private final TestLocks fixed = new TestLocks(this.first, this.second);

	@AfterEach
	void close() {
		this.fixed.close();
	}

	@Test
	void theFirstEngineIsUsed() {
		DistributedLock lock = this.fixed.get("a");
		lock.lock();
		lock.unlock();
		assertThat(this.first.requests).hasSize(1);
		assertThat(this.fixed.locks.engineStatus()).isEqualTo(new EngineStatus("first", 1, null, List.of()));
	}

	@Test
	void aSwitchIsRefused() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.fixed.locks.switchEngine("second"))
			.withMessageContaining("idempotent.lock.switching.enabled=true");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.fixed.locks.switchEngine());
	}

	@Test
	void enginesOfOneNameAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TestLocks(this.first, FakeEngine.withoutLeases("first")))
			.withMessage("There are two lock engines 'first'");
		LockDefaults defaults = new LockDefaults(TestLocks.LONG, Renewal.WHILE_HELD);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new EngineDistributedLocks(List.of(), defaults, List.of()))
			.withMessage("There is no lock engine");
	}

}
