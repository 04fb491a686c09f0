package io.idempotent.administration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.administration.InterventionResult.Done;
import io.idempotent.administration.InterventionResult.Refused;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.submission.Decision;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Operators on two nodes of one Redis.
 */
class RedisAdministrationTests {

	private static final Outcome.Stored ANSWER = (Outcome.Stored) Outcome.stored(new byte[] { 1, 2, 3 });

	private static final OperationPolicy POLICY = new OperationPolicy("Orders.place", Duration.ofSeconds(30),
			Duration.ofMinutes(10), Duration.ofSeconds(5), WhenCompleted.REPLAY, WhenInProgress.REJECT,
			WhenUnknown.REJECT, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");

	private static EmbeddedRedis redis;

	private static LettuceConnectionFactory connections;

	private static RedisIdempotencyStore store;

	private final Node first = new Node("shop@a:1");

	private final Node second = new Node("shop@b:2");

	private final String value = UUID.randomUUID().toString();

	private final OperationKey key = OperationKey.of("shop", "Orders.place", List.of("alice"), this.value);

	private final Submission submission = new Submission(this.key, this.value,
			new Fingerprint(Digest.sha256().add("content").build()), ClaimRequest.Admission.OPEN, Duration.ZERO);

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		connections = new LettuceConnectionFactory(redis.host(), redis.port());
		connections.afterPropertiesSet();
		connections.start();
		store = new RedisIdempotencyStore(connections, "idem:", Duration.ofSeconds(30));
	}

	@AfterAll
	static void stop() {
		store.close();
		connections.destroy();
		redis.close();
	}

	@AfterEach
	void stopNodes() {
		this.first.gate.close();
		this.second.gate.close();
	}

	@Test
	void anOwnerThatWasConfirmedByForceContradictsNoCache() {
		Claim claim = this.first.run();
		assertThat(this.second.administration.confirm(this.key, "ops", "booked", true)).isInstanceOf(Done.class);
		claim.end(End.completed(ANSWER));
		assertThat(this.first.events).contains(IdempotencyEvent.Type.CLAIM_LOST);
		for (Node node : List.of(this.first, this.second)) {
			assertThat(node.enter()).isInstanceOfSatisfying(Decision.Refused.class,
					(refused) -> assertThat(refused.reason()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE));
		}
	}

	/**
	 * The owner completes or gives up, a submission arrives, and two operators decide,
	 * all at once. However they interleave, each success is one that the record bears
	 * out.
	 */
	@RepeatedTest(40)
	void oneOfThemDecides() throws Exception {
		long seed = System.nanoTime();
		List<Runnable> parts = new ArrayList<>();
		Claim claim = this.first.run();
		List<InterventionResult> results = new CopyOnWriteArrayList<>();
		List<Decision> decisions = new CopyOnWriteArrayList<>();
		parts.add(() -> claim.end(End.completed(ANSWER)));
		parts.add(() -> results.add(this.first.administration.release(this.key, "one", "race", true)));
		parts.add(() -> results.add(this.second.administration.confirm(this.key, "two", "race", true)));
		parts.add(() -> decisions.add(this.second.enter()));
		together(parts, new Random(seed));
		OperationRecord record = this.second.administration.find(this.key);
		long settled = results.stream().filter(Done.class::isInstance).count();
		boolean completed = this.first.events.contains(IdempotencyEvent.Type.COMPLETED);
		boolean ran = decisions.get(0) instanceof Decision.Run;
		String what = "seed " + seed + ": " + results + ", " + decisions + ", " + record;
		assertThat(this.first.events.contains(IdempotencyEvent.Type.CLAIM_LOST)).as(what).isEqualTo(!completed);
		assertThat(settled > 0).as(what).isEqualTo(!completed);
		if (completed) {
			assertThat(record.outcome()).as(what).isEqualTo(ANSWER);
			assertThat(record.attempt()).as(what).isEqualTo(1);
		}
		if (ran) {
			assertThat(completed).as(what).isFalse();
			assertThat(results).as(what)
				.anyMatch((result) -> result instanceof Done made
						&& made.intervention().action().name().equals("RELEASE"));
		}
	}

	private void together(List<Runnable> parts, Random random) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(parts.size());
		try {
			CyclicBarrier start = new CyclicBarrier(parts.size());
			List<Future<?>> running = new ArrayList<>();
			for (Runnable part : parts) {
				long spin = random.nextInt(400_000);
				running.add(threads.submit(() -> {
					start.await();
					long until = System.nanoTime() + spin;
					while (System.nanoTime() < until) {
						Thread.onSpinWait();
					}
					part.run();
					return null;
				}));
			}
			for (Future<?> each : running) {
				each.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** One node: a gate with a near cache of its own, and its administration. */
	private final class Node {

		private final List<IdempotencyEvent.Type> events = new CopyOnWriteArrayList<>();

		private final IdempotencyGate gate;

		private final IdempotencyAdministration administration;

		Node(String name) {
			OutcomeCache cache = new MapCache();
			this.gate = new IdempotencyGate.Builder(store).outcomeCache(cache)
				.listeners(List.of((IdempotencyEvent event) -> this.events.add(event.type())))
				.origin("shop", name)
				.build();
			this.administration = new IdempotencyAdministration(this.gate, store, null, "shop", (made) -> {
			});
		}

		Decision enter() {
			return this.gate
				.enter(Entrance.METHOD, new SubmissionContext(POLICY), RedisAdministrationTests.this.submission,
						(answer) -> false)
				.decision();
		}

		Claim run() {
			return ((Decision.Run) enter()).claim();
		}

	}

	private static final class MapCache implements OutcomeCache {

		private final Map<OperationKey, Entry> entries = new ConcurrentHashMap<>();

		@Override
		public @Nullable Entry find(OperationKey key) {
			return this.entries.get(key);
		}

		@Override
		public void put(OperationKey key, Entry entry) {
			this.entries.put(key, entry);
		}

	}

}
