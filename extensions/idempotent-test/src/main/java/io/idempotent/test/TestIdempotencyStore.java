package io.idempotent.test;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordState;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.receipt.Receipts;
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
public final class TestIdempotencyStore extends LocalIdempotencyStore
		implements AssertProvider<TestIdempotencyStoreAssert>, Resettable {

	private static final int MAX_RECORDS = 100_000;

	private final Supplier<@Nullable Receipts> receipts;

	private final Map<String, String> operations = new ConcurrentHashMap<>();

	/** Those that may have a record, in the order of their first claims. */
	private final Set<OperationKey> keys = Collections.synchronizedSet(new LinkedHashSet<>());

	/** Creates an empty store. */
	public TestIdempotencyStore() {
		this(() -> null);
	}

	TestIdempotencyStore(Supplier<@Nullable Receipts> receipts) {
		super(MAX_RECORDS);
		this.receipts = receipts;
	}

	/**
	 * Forgets all operations. Running ones end as if the store had lost their records.
	 */
	@Override
	public void reset() {
		this.keys.clear();
		clear();
		this.operations.clear();
	}

	/**
	 * Returns the operations that are running, unknown or completed, in the order in
	 * which they were first claimed. A key that was released, since its operation took no
	 * effect, has no record.
	 */
	public List<RecordedOperation> records() {
		return List.copyOf(this.keys)
			.stream()
			.map(this::inspect)
			.filter((record) -> record.state() != RecordState.ABSENT && record.state() != RecordState.ISSUED)
			.map((record) -> new RecordedOperation(this.operations.getOrDefault(record.key().toString(), ""),
					record.key(), record.state(), record.attempt()))
			.toList();
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
	public ClaimResult claim(ClaimRequest request) {
		ClaimResult result = super.claim(request);
		this.keys.add(request.key());
		return result;
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		Ownership ownership = super.complete(claim, outcome, retention);
		this.keys.add(claim.key());
		return ownership;
	}

}
