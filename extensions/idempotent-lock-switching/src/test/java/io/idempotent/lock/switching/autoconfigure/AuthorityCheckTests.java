package io.idempotent.lock.switching.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.switching.Epochs;
import io.idempotent.lock.switching.TestEpochs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a node that does not switch reads of those that do.
 */
@Timeout(60)
class AuthorityCheckTests {

	private final TestEpochs others = new TestEpochs(Duration.ofSeconds(2), List.of("first", "second"));

	private final SharedEntry store = this.others.store();

	@Test
	void onlyLiveNodesCountAsAgreeing() throws Exception {
		assertThat(Epochs.agreedByOthers(this.store)).isNull();
		this.others.enter();
		assertThat(Epochs.agreedByOthers(this.store)).startsWith("now 'first', epoch 1: [");
		// It holds a lock, so that its entry stays.
		this.others.close();
		assertThat(this.store.read().text()).contains("member.");
		assertThat(Epochs.agreedByOthers(this.store)).isNull();
	}

	@Test
	void anInterruptedThreadDoesNotWaitForOthers() throws Exception {
		this.others.enter();
		SharedEntry silent = this.others.copyOfStore();
		this.others.close();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> Epochs.agreedByOthers(silent))
			.withMessageContaining("Interrupted");
		assertThat(Thread.interrupted()).isTrue();
	}

}
