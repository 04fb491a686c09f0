package io.idempotent.contract.store;

import java.time.Duration;

import io.idempotent.store.IdempotencyStore;
import org.junit.jupiter.api.Nested;

/**
 * What the library relies on in every {@link IdempotencyStore}. The test class of a store
 * extends it, and runs all tests below:
 *
 * <pre>
 * class MyStoreTests extends IdempotencyStoreContract {
 *
 * 	private final MyStore store = new MyStore(...);
 *
 * 	&#64;Override
 * 	protected IdempotencyStore store() {
 * 		return this.store;
 * 	}
 *
 * 	&#64;Override
 * 	protected void pass(Duration time) {
 * 		this.clock.advance(time);
 * 	}
 *
 * }
 * </pre>
 *
 * <p>
 * Keys are random, so the store need not be empty before a test, and several tests may
 * use it at once. The tests of {@link io.idempotent.store.WakeUps} and of
 * {@link io.idempotent.store.RecordAdministration} are skipped if the store does not
 * implement that interface. Not covered is what depends on the technology: time-outs,
 * lost connections ({@link io.idempotent.store.StoreUnavailableException}), corrupt
 * records ({@link io.idempotent.store.UnreadableRecordException}) and the survival of a
 * failover.
 *
 * <p>
 * The set of tests may grow in any release. A store that passed may then fail, because it
 * never kept that promise.
 */
public abstract class IdempotencyStoreContract {

	/**
	 * The length of some leases and retentions: short enough to wait for, long enough for
	 * a few calls on a busy machine.
	 */
	protected static final Duration SOON = Duration.ofMillis(400);

	/** The store under test. Called often; returns the same store throughout a test. */
	protected abstract IdempotencyStore store();

	/**
	 * Lets time pass on the clock by which the store judges leases. Sleeps if the clock
	 * cannot be moved.
	 * @param time how much; about {@link #SOON}
	 */
	protected abstract void pass(Duration time);

	@Nested
	class Claims extends StoreClaimTests {

		Claims() {
			super(IdempotencyStoreContract.this);
		}

	}

	@Nested
	class Leases extends StoreLeaseTests {

		Leases() {
			super(IdempotencyStoreContract.this);
		}

	}

	@Nested
	class Completions extends StoreCompletionTests {

		Completions() {
			super(IdempotencyStoreContract.this);
		}

	}

	@Nested
	class Releases extends StoreReleaseTests {

		Releases() {
			super(IdempotencyStoreContract.this);
		}

	}

	@Nested
	class Tokens extends StoreTokenTests {

		Tokens() {
			super(IdempotencyStoreContract.this);
		}

	}

	@Nested
	class Notifications extends StoreWakeUpTests {

		Notifications() {
			super(IdempotencyStoreContract.this);
		}

	}

	@Nested
	class Administration extends StoreAdministrationTests {

		Administration() {
			super(IdempotencyStoreContract.this);
		}

	}

	@Nested
	class Settlements extends StoreSettlementTests {

		Settlements() {
			super(IdempotencyStoreContract.this);
		}

	}

	@Nested
	class Contention extends StoreContentionTests {

		Contention() {
			super(IdempotencyStoreContract.this);
		}

	}

}
