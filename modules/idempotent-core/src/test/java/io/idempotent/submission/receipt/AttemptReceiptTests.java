package io.idempotent.submission.receipt;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.store.ClaimId;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class AttemptReceiptTests {

	private final OperationKey key = OperationKey.of("test", "op", List.of(), "key");

	private final Receipts receipts = mock(Receipts.class);

	private final AttemptReceipt receipt = new AttemptReceipt(
			new ClaimId(this.key, Owner.draw(new SecureRandom()), Fingerprint.of(this.key), 1, null), this.receipts,
			(event) -> {
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
				(event) -> seen.set(committed.get().committedOutcome())));
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
	void aDoubtEndsWithWhatIsFound() {
		Outcome answer = Outcome.stored(new byte[] { 1 });
		given(this.receipts.find(this.key)).willReturn(Optional.empty())
			.willReturn(Optional.of(receipt(this.receipt.claimId().owner(), answer)));
		this.receipt.markInDoubt();
		assertThat(this.receipt.isInDoubt()).isTrue();
		assertThat(this.receipt.find()).isNull();
		assertThat(this.receipt.isInDoubt()).isFalse();
		assertThat(this.receipt.isUnconfirmed()).as("may still arrive").isTrue();
		assertThat(this.receipt.exists()).isFalse();
		this.receipt.markInDoubt();
		assertThat(this.receipt.find()).isEqualTo(answer);
		assertThat(this.receipt.isInDoubt()).isFalse();
		assertThat(this.receipt.isUnconfirmed()).as("the code could not know").isTrue();
		assertThat(this.receipt.exists()).isTrue();
		assertThat(this.receipt.isCommitted()).isFalse();
	}

	@Test
	void aReceiptOnceFoundProvesTheEffectWhileTheDatabaseIsAway() {
		given(this.receipts.find(this.key))
			.willReturn(Optional.of(receipt(this.receipt.claimId().owner(), Outcome.TOMBSTONE)))
			.willThrow(new IllegalStateException("away"));
		this.receipt.markInDoubt();
		this.receipt.find();
		assertThat(this.receipt.find()).isEqualTo(Outcome.TOMBSTONE);
	}

	private static Receipts.Receipt receipt(Owner owner, Outcome outcome) {
		return new Receipts.Receipt(owner, 1, outcome, null, Duration.ZERO);
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
