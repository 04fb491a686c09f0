package io.idempotent.submission;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.idempotent.Refusal;
import io.idempotent.WhenUnknown;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.Digest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many callers, many keys, two nodes, one store behind a bad network: each operation
 * takes effect at most once, exactly once where it is completed, and everybody is
 * answered with that effect. The effects are counted beside the store.
 */
class IdempotencyGateContentionTests {

	private static final int THREADS = 64;

	private static final int KEYS = 200;

	private static final OperationPolicy POLICY = TestPolicy.with(WhenUnknown.REJECT);

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.idempotent.submission");

	@BeforeEach
	void logNothingOfThousandsOfFaults() {
		this.logger.setLevel(Level.OFF);
	}

	@AfterEach
	void logAsBefore() {
		this.logger.setLevel(null);
	}

	@Test
	void operationsTakeEffectOnceOnTwoNodesBehindABadNetwork(TestReporter reporter) throws Exception {
		long seed = new Random().nextLong();
		reporter.publishEntry("seed", Long.toString(seed));
		Contention contention = new Contention(seed, new LocalIdempotencyStore(KEYS));
		assertThat(contention.run()).as("seed %d", seed).isEmpty();
		assertThat(contention.completed.size()).as("completed with seed %d", seed).isGreaterThan(KEYS / 2);
		assertThat(contention.attempts.get()).as("the network was bad, seed %d", seed).isGreaterThan(KEYS);
	}

	/**
	 * All callers submit all operations, in their own order, until each is settled.
	 */
	private static final class Contention {

		private final long seed;

		private final List<FaultyStore> networks = new ArrayList<>();

		private final List<IdempotencyGate> nodes = new ArrayList<>();

		private final List<Submission> operations = IntStream.range(0, KEYS)
			.mapToObj((i) -> TestGate.submission("order " + i))
			.toList();

		private final Map<OperationKey, AtomicInteger> effects = new ConcurrentHashMap<>();

		private final Map<OperationKey, Boolean> completed = new ConcurrentHashMap<>();

		private final List<String> violations = new CopyOnWriteArrayList<>();

		private final AtomicInteger attempts = new AtomicInteger();

		Contention(long seed, IdempotencyStore store) {
			this.seed = seed;
			for (int i = 0; i < 2; i++) {
				FaultyStore network = new FaultyStore(store);
				this.networks.add(network);
				this.nodes.add(new IdempotencyGate.Builder(network).build());
			}
			this.operations.forEach((operation) -> this.effects.put(operation.key(), new AtomicInteger()));
		}

		List<String> run() throws Exception {
			ExecutorService callers = Executors.newFixedThreadPool(THREADS);
			try {
				CyclicBarrier start = new CyclicBarrier(THREADS);
				List<Future<?>> running = new ArrayList<>();
				for (int i = 0; i < THREADS; i++) {
					SplittableRandom random = new SplittableRandom(this.seed + i);
					running.add(callers.submit(() -> {
						start.await();
						this.operations.forEach((operation) -> settle(operation, random));
						return true;
					}));
				}
				for (Future<?> caller : running) {
					caller.get(120, TimeUnit.SECONDS);
				}
			}
			finally {
				callers.shutdownNow();
				this.nodes.forEach(IdempotencyGate::close);
			}
			this.effects.forEach(this::check);
			return this.violations;
		}

		private void settle(Submission operation, SplittableRandom random) {
			boolean settled = false;
			while (!settled) {
				int node = random.nextInt(2);
				worsen(this.networks.get(node), random);
				settled = settled(this.nodes.get(node), operation, random);
			}
		}

		private static void worsen(FaultyStore network, SplittableRandom random) {
			if (random.nextInt(4) == 0) {
				Call call = List.of(Call.CLAIM, Call.COMPLETE, Call.RELEASE).get(random.nextInt(3));
				Fault fault = random.nextBoolean() ? Fault.UNREACHABLE : Fault.REPLY_LOST;
				network.next(call, fault, random.nextBoolean() ? fault : Fault.NONE);
			}
		}

		private boolean settled(IdempotencyGate gate, Submission operation, SplittableRandom random) {
			Decision decision = TestGate.decide(gate, POLICY, operation);
			if (decision instanceof Decision.Run run) {
				this.attempts.incrementAndGet();
				end(run.claim(), random);
				return false;
			}
			if (decision instanceof Decision.Replay replay) {
				this.completed.put(operation.key(), true);
				if (!operation.key().equals(effectOf(replay.answer()))) {
					this.violations.add("Operation " + operation.key() + " got the answer of another");
				}
				return true;
			}
			if (decision.equals(TestGate.refused(Refusal.OUTCOME_UNKNOWN))) {
				return true;
			}
			gate.flush();
			return false;
		}

		private void end(Claim claim, SplittableRandom random) {
			int dice = random.nextInt(10);
			if (dice < 4) {
				claim.end(End.RELEASED);
				return;
			}
			if (dice == 4 && random.nextInt(10) == 0) {
				claim.end(End.UNKNOWN);
				return;
			}
			this.effects.get(claim.key()).incrementAndGet();
			if (dice == 5 && random.nextInt(10) == 0) {
				claim.end(End.UNKNOWN);
				return;
			}
			claim
				.end(End.completed(Outcome.stored(claim.key().digest().encoded().getBytes(StandardCharsets.US_ASCII))));
		}

		private static OperationKey effectOf(Outcome.Stored answer) {
			return new OperationKey(Digest.parse(new String(answer.answer(), StandardCharsets.US_ASCII)));
		}

		private void check(OperationKey key, AtomicInteger times) {
			if (times.get() > 1) {
				this.violations.add("Operation " + key + " took effect " + times + " times");
			}
			if (this.completed.containsKey(key) && times.get() != 1) {
				this.violations.add("Operation " + key + " was answered and took effect " + times + " times");
			}
		}

	}

}
