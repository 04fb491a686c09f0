package io.idempotent.engine.receipt;

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.store.ClaimId;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class EffectTests {

	private final OperationKey key = OperationKey.of("test", "op", List.of(), "key");

	private final Effect effect = new Effect(
			new ClaimId(this.key, Owner.draw(new SecureRandom()), Fingerprint.of(this.key), 1, null),
			mock(Receipts.class), (event) -> {
			});

	@Test
	void aCommittedEffectIsNotDoubtedForAnotherTransaction() {
		this.effect.markCommitted(Outcome.TOMBSTONE);
		this.effect.markInDoubt();
		assertThat(this.effect.isCommitted()).isTrue();
		assertThat(this.effect.isInDoubt()).isFalse();
	}

	@Test
	void theOutcomeIsVisibleBeforeTheCommitIsReported() {
		AtomicReference<Effect> committed = new AtomicReference<>();
		AtomicReference<Outcome> seen = new AtomicReference<>();
		committed
			.set(new Effect(this.effect.claimId(), mock(Receipts.class), (event) -> seen.set(committed.get().kept())));
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
	void aDuplicateStaysADuplicateDespiteOtherCommits() {
		this.effect.markDuplicate();
		this.effect.markCommitted(Outcome.TOMBSTONE);
		this.effect.markInDoubt();
		assertThat(this.effect.isDuplicate()).isTrue();
		assertThat(this.effect.isCommitted()).isFalse();
	}

}
