package io.idempotent.test;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.Settlement;
import io.idempotent.store.WakeUps;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.test.RecordedOperation.State;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the operations of a test in memory, and shows them to the test:
 *
 * <pre>
 * assertThat(store).record("OrderController.place").isCompleted().hasAttempt(1);
 * </pre>
 *
 * <p>
 * {@link AutoConfigureIdempotency} defines a bean of this type. Safe for use by several
 * threads.
 */
public final class TestIdempotencyStore implements IdempotencyStore, RecordAdministration, WakeUps,
		AssertProvider<TestIdempotencyStoreAssert>, Resettable {

	private final Supplier<@Nullable Receipts> receipts;

	private final Map<String, String> operations = new ConcurrentHashMap<>();

	private volatile Records records = new Records();

	/** Creates an empty store. */
	public TestIdempotencyStore() {
		this(() -> null);
	}

	TestIdempotencyStore(Supplier<@Nullable Receipts> receipts) {
		this.receipts = receipts;
	}

	/**
	 * Forgets all operations. Running ones end as if the store had lost their records.
	 */
	@Override
	public void reset() {
		this.records = new Records();
		this.operations.clear();
	}

	/**
	 * Returns the operations that are running, unknown or completed, in the order in
	 * which they were first claimed. A key that was released, since its operation took no
	 * effect, has no record.
	 */
	public List<RecordedOperation> records() {
		Records current = this.records;
		return List.copyOf(current.keys()).stream().map(current.store()::inspect).flatMap(this::recorded).toList();
	}

	private Stream<RecordedOperation> recorded(RecordSnapshot record) {
		@Nullable State state = switch (record.state()) {
			case IN_PROGRESS -> State.IN_PROGRESS;
			case UNKNOWN -> State.UNKNOWN;
			case COMPLETED -> State.COMPLETED;
			case ABSENT, ISSUED -> null;
		};
		return Stream.ofNullable(state)
			.map((known) -> new RecordedOperation(this.operations.getOrDefault(record.key().toString(), ""),
					record.key(), known, record.attempt()));
	}

	/**
	 * For AssertJ; call {@code assertThat(store)}.
	 * @deprecated to keep it out of code completion
	 */
	@Override
	@Deprecated
	public TestIdempotencyStoreAssert assertThat() {
		return new TestIdempotencyStoreAssert(this, this.receipts.get());
	}

	/** Registers the name of an operation, which the store does not know. */
	void remember(IdempotencyEvent event) {
		if (!event.key().isEmpty()) {
			this.operations.put(event.key(), event.operation());
		}
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		this.records.store().issue(key, timeToLive);
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		Records current = this.records;
		current.keys().add(request.key());
		return current.store().claim(request);
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		return this.records.store().renew(claim, lease);
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		Records current = this.records;
		current.keys().add(claim.key());
		return current.store().complete(claim, outcome, retention);
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		return this.records.store().release(claim, release);
	}

	@Override
	public RecordSnapshot inspect(OperationKey key) {
		return this.records.store().inspect(key);
	}

	@Override
	public FoundKeys findKeys(KeyPrefix prefix, int limit) {
		return this.records.store().findKeys(prefix, limit);
	}

	@Override
	public UnknownRecords unknown(int limit) {
		return this.records.store().unknown(limit);
	}

	@Override
	public SettlementResult settle(Settlement settlement) {
		return this.records.store().settle(settlement);
	}

	@Override
	public String nameOf(OperationKey key) {
		return this.records.store().nameOf(key);
	}

	@Override
	public Subscription subscribe(OperationKey key, Runnable wake) {
		return this.records.store().subscribe(key, wake);
	}

	/**
	 * The records of one test, and the keys that may have one in the order of their first
	 * claims.
	 */
	private record Records(LocalIdempotencyStore store, Set<OperationKey> keys) {

		private static final int MAX_RECORDS = 100_000;

		private Records() {
			this(new LocalIdempotencyStore(MAX_RECORDS), Collections.synchronizedSet(new LinkedHashSet<>()));
		}

	}

}
