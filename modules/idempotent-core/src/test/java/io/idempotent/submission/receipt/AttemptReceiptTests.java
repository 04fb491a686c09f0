package io.idempotent.submission.receipt;

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

class AttemptReceiptTests {

	private final OperationKey key = OperationKey.of("test", "op", List.of(), "key");

	private final AttemptReceipt receipt = new AttemptReceipt(
			new ClaimId(this.key, Owner.draw(new SecureRandom()), Fingerprint.of(this.key), 1, null),
			mock(Receipts.class), (event) -> {
			});

	@Test
	void aCommittedEffectIsNotDoubtedForAnotherTransaction() {
		this.receipt.markCommitted(Outcome.TOMBSTONE);
		this.receipt.markInDoubt();
		assertThat(this.receipt.isCommitted()).isTrue();
		assertThat(this.receipt.isInDoubt()).isFalse();
	}

	@Test
	void theOutcomeIsVisibleBeforeTheCommitIsReported() {
		AtomicReference<AttemptReceipt> committed = new AtomicReference<>();
		AtomicReference<Outcome> seen = new AtomicReference<>();
		committed.set(new AttemptReceipt(this.receipt.claimId(), mock(Receipts.class),
				(event) -> seen.set(committed.get().kept())));
		Outcome answer = Outcome.stored(new byte[] { 1 });
		committed.get().markCommitted(answer);
		assertThat(seen).hasValue(answer);
	}

	@Test
	void aCommitClearsADoubt() {
		this.receipt.markInDoubt();
		this.receipt.markCommitted(Outcome.TOMBSTONE);
		assertThat(this.receipt.isCommitted()).isTrue();
	}

	@Test
	void aDuplicateStaysADuplicateDespiteOtherCommits() {
		this.receipt.markEarlierEffect();
		this.receipt.markCommitted(Outcome.TOMBSTONE);
		this.receipt.markInDoubt();
		assertThat(this.receipt.hasEarlierEffect()).isTrue();
		assertThat(this.receipt.isCommitted()).isFalse();
	}

}
