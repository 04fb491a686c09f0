package io.idempotent.contract.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;

/** Many threads, few keys, random calls. Failures show the seed, not the interleaving. */
abstract class StoreContentionTests extends StoreTests {

	private static final int THREADS = 8;

	private static final int KEYS = 6;

	private static final int SUBMISSIONS = 150;

	private final long seed = new Random().nextLong();

	/** The contended operations; one that is completed is replaced by the next. */
	private final AtomicReferenceArray<Operation> current = new AtomicReferenceArray<>(KEYS);

	private final Queue<Operation> all = new ConcurrentLinkedQueue<>();

	StoreContentionTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	private void replace(int slot, @Nullable Operation completed) {
		Operation next = new Operation(submission().issued(RETENTION));
		if (this.current.compareAndSet(slot, completed, next)) {
			this.all.add(next);
		}
	}

	@Test
	void oneOfManyIsGranted() throws Exception {
		for (int round = 0; round < 20; round++) {
			StoreSubmission submission = submission();
			CyclicBarrier start = new CyclicBarrier(THREADS);
			List<ClaimResult> results = inParallel((thread) -> {
				start.await(10, TimeUnit.SECONDS);
				return submission.again().claim();
			});
			assertThat(results).filteredOn(Granted.class::isInstance).hasSize(1);
			assertThat(results).filteredOn(ClaimResult.InProgress.class::isInstance).hasSize(THREADS - 1);
		}
	}

	@Test
	void noInterleavingRunsAnOperationTwice() throws Exception {
		IntStream.range(0, KEYS).forEach((slot) -> replace(slot, null));
		inParallel((thread) -> {
			submitAtRandom(new Random(this.seed + thread));
			return thread;
		});
		assertThat(this.all).hasSizeGreaterThan(KEYS);
		this.all.forEach((operation) -> operation.assertOneEffectIfCompleted(this.seed));
	}

	private static <T> List<T> inParallel(Task<T> task) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Callable<T>> tasks = IntStream.range(0, THREADS)
				.mapToObj((thread) -> (Callable<T>) () -> task.run(thread))
				.toList();
			List<T> results = new ArrayList<>();
			for (Future<T> future : threads.invokeAll(tasks)) {
				results.add(future.get());
			}
			return results;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void submitAtRandom(Random random) {
		for (int i = 0; i < SUBMISSIONS; i++) {
			int slot = random.nextInt(KEYS);
			Operation operation = this.current.get(slot);
			StoreSubmission submission = operation.submission.again();
			ClaimResult result = submission.claim();
			if (result instanceof Granted granted) {
				operation.grant(submission, granted.attempt(), this.seed);
				end(operation, submission, submission.claimId(granted.attempt()), random);
			}
			else {
				if (result instanceof Completed) {
					replace(slot, operation);
				}
				meddle(submission.claimId(1 + random.nextInt(5)), random);
			}
		}
	}

	/** Acts as an owner, sometimes repeating a call. */
	private void end(Operation operation, StoreSubmission submission, ClaimId claim, Random random) {
		if (random.nextInt(4) == 0) {
			assertThat(submission.claim()).as(seeded("read-back"))
				.isInstanceOfSatisfying(Granted.class,
						(again) -> assertThat(again.attempt()).isEqualTo(claim.attempt()));
		}
		if (random.nextInt(4) == 0) {
			assertThat(store().renew(claim, StoreSubmission.LEASE)).as(seeded("renewal")).isEqualTo(Ownership.HELD);
		}
		LockSupport.parkNanos(random.nextInt(100_000));
		operation.holder.set(null);
		switch (random.nextInt(12)) {
			case 0 -> {
				operation.effects.incrementAndGet();
				assertThat(submission.complete(claim, Outcome.TOMBSTONE)).as(seeded("completion"))
					.isEqualTo(Ownership.HELD);
			}
			case 1, 2, 3 -> assertThat(submission.release(claim, Release.UNKNOWN)).as(seeded("giving up"))
				.isEqualTo(Ownership.HELD);
			default -> assertThat(submission.release(claim, Release.NO_EFFECT)).as(seeded("release"))
				.isEqualTo(Ownership.HELD);
		}
	}

	/** With a claim that was never granted: each record belongs to another owner. */
	private void meddle(ClaimId stranger, Random random) {
		Ownership ownership = switch (random.nextInt(3)) {
			case 0 -> store().renew(stranger, StoreSubmission.LEASE);
			case 1 -> store().release(stranger, Release.NO_EFFECT);
			default -> store().complete(stranger, Outcome.TOMBSTONE, RETENTION);
		};
		assertThat(ownership).as(seeded("call of another owner")).isEqualTo(Ownership.LOST);
	}

	private String seeded(String what) {
		return what + ", seed " + this.seed;
	}

	private interface Task<T> {

		T run(int thread) throws Exception;

	}

	/** The observable history of one operation. */
	private static final class Operation {

		private final StoreSubmission submission;

		private final Map<Integer, Owner> granted = new ConcurrentHashMap<>();

		private final AtomicReference<Owner> holder = new AtomicReference<>();

		private final AtomicInteger effects = new AtomicInteger();

		Operation(StoreSubmission submission) {
			this.submission = submission;
		}

		void grant(StoreSubmission winner, int attempt, long seed) {
			Owner owner = winner.request().owner();
			assertThat(this.granted.putIfAbsent(attempt, owner)).as("owner of attempt %d, seed %d", attempt, seed)
				.isNull();
			assertThat(this.holder.compareAndSet(null, owner)).as("only holder, seed %d", seed).isTrue();
			assertThat(this.effects).as("effects before a grant, seed %d", seed).hasValue(0);
		}

		void assertOneEffectIfCompleted(long seed) {
			boolean completed = this.submission.again().claim() instanceof Completed;
			assertThat(this.effects).as("effects, seed %d", seed).hasValue(completed ? 1 : 0);
		}

	}

}
