package io.idempotent.engine;

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EffectStatusTests {

	private final EffectStatus effect = new EffectStatus(new OperationAttempt(
			OperationKey.of("test", "op", List.of(), "key"), Owner.draw(new SecureRandom()), 1, "op"));

	@Test
	void whatIsCommittedIsNotInDoubtBecauseOfAnotherTransactionOfTheRun() {
		this.effect.markCommitted(Outcome.TOMBSTONE);
		this.effect.markInDoubt();
		assertThat(this.effect.isCommitted()).isTrue();
		assertThat(this.effect.isInDoubt()).isFalse();
	}

	@Test
	void whoSeesTheCommitSeesTheOutcomeThatIsKept() {
		AtomicReference<EffectStatus> committed = new AtomicReference<>();
		AtomicReference<Outcome> seen = new AtomicReference<>();
		committed.set(new EffectStatus(this.effect.attempt(), (event) -> seen.set(committed.get().kept())));
		Outcome answer = Outcome.stored(new byte[] { 1 });
		committed.get().markCommitted(answer);
		assertThat(seen).hasValue(answer);
	}

	@Test
	void aCommitClearsADoubt() {
		this.effect.markInDoubt();
		this.effect.markCommitted(Outcome.TOMBSTONE);
		assertThat(this.effect.isCommitted()).isTrue();
	}

	@Test
	void aDuplicateStaysOneWhateverIsCommittedBesideIt() {
		this.effect.markDuplicate();
		this.effect.markCommitted(Outcome.TOMBSTONE);
		this.effect.markInDoubt();
		assertThat(this.effect.isDuplicate()).isTrue();
		assertThat(this.effect.isCommitted()).isFalse();
	}

	@Test
	void theEndOfOneCommitIsNotThatOfAnotherThread() throws Exception {
		AttemptTransactions transactions = new AttemptTransactions();
		Thread other = new Thread(() -> transactions.commitBegins(Thread.currentThread()));
		other.start();
		other.join();
		transactions.commitBegins(Thread.currentThread());
		transactions.commitEnds(other);
		assertThat(transactions.isCommittingOnThisThread()).isTrue();
		transactions.commitEnds(Thread.currentThread());
		assertThat(transactions.isCommittingOnThisThread()).isFalse();
	}

}
