package io.idempotent.contract.store;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.WakeUps;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Waiting submissions are notified of the end of a claim, if the store can push. */
abstract class StoreWakeUpTests extends StoreTests {

	StoreWakeUpTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void aListenerIsNotifiedWhenTheClaimEnds() throws InterruptedException {
		assumeTrue(store() instanceof WakeUps, "the store cannot push");
		for (Ending ending : Ending.values()) {
			StoreSubmission first = submission();
			ClaimId claim = first.granted();
			Semaphore woken = new Semaphore(0);
			try (WakeUps.Subscription subscription = ((WakeUps) store()).subscribe(first.key(), woken::release)) {
				assertThat(subscription).isNotNull();
				assertThat(first.again().listening().claim()).isInstanceOf(InProgress.class);
				awaitSilence(woken);
				ending.end(first, claim);
				assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).as("woken by %s", ending).isTrue();
			}
		}
	}

	/** A store may wake early while it subscribes. */
	private static void awaitSilence(Semaphore woken) throws InterruptedException {
		while (woken.tryAcquire(300, TimeUnit.MILLISECONDS)) {
			woken.drainPermits();
		}
	}

	private enum Ending {

		COMPLETED, NO_EFFECT, UNKNOWN;

		void end(StoreSubmission submission, ClaimId claim) {
			Ownership ownership = switch (this) {
				case COMPLETED -> submission.complete(claim, ANSWER);
				case NO_EFFECT -> submission.release(claim, Release.NO_EFFECT);
				case UNKNOWN -> submission.release(claim, Release.UNKNOWN);
			};
			assertThat(ownership).isEqualTo(Ownership.HELD);
		}

	}

}
