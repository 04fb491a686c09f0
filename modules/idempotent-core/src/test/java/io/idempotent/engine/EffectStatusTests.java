package io.idempotent.engine;

import java.security.SecureRandom;
import java.util.List;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EffectStatusTests {

	private final EffectStatus effect = new EffectStatus(OperationKey.of("test", "op", List.of(), "key"),
			Owner.draw(new SecureRandom()), 1, "op");

	@Test
	void whatIsCommittedIsNotInDoubtBecauseOfAnotherTransactionOfTheRun() {
		this.effect.committed(Outcome.TOMBSTONE);
		this.effect.inDoubt();
		assertThat(this.effect.isCommitted()).isTrue();
		assertThat(this.effect.isInDoubt()).isFalse();
	}

	@Test
	void aCommitClearsADoubt() {
		this.effect.inDoubt();
		this.effect.committed(Outcome.TOMBSTONE);
		assertThat(this.effect.isCommitted()).isTrue();
	}

	@Test
	void aDuplicateStaysOneWhateverIsCommittedBesideIt() {
		this.effect.duplicate();
		this.effect.committed(Outcome.TOMBSTONE);
		this.effect.inDoubt();
		assertThat(this.effect.isDuplicate()).isTrue();
		assertThat(this.effect.isCommitted()).isFalse();
	}

	@Test
	void theEndOfOneCommitIsNotThatOfAnotherThread() throws Exception {
		EffectStatus effect = new EffectStatus(OperationKey.of("test", "Orders.create", List.of(), "order 1"),
				new Owner(1, 2), 1, "Orders.create");
		Thread other = new Thread(() -> effect.committing(Thread.currentThread()));
		other.start();
		other.join();
		effect.committing(Thread.currentThread());
		effect.noLongerCommitting(other);
		assertThat(effect.isCommittingHere()).isTrue();
		effect.noLongerCommitting(Thread.currentThread());
		assertThat(effect.isCommittingHere()).isFalse();
	}

}
