package io.idempotent.administration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.administration.IdempotencyAdministration.UnknownOperation;
import io.idempotent.administration.InterventionResult.Done;
import io.idempotent.administration.InterventionResult.Refused;
import io.idempotent.administration.InterventionResult.RefusedBecause;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.IdempotencyGateBuilder;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.End;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.RecordState;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Operators on two nodes of one Redis.
 */
class RedisAdministrationTests {

	private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

	private static final Outcome.Stored ANSWER = (Outcome.Stored) Outcome.stored(new byte[] { 1, 2, 3 });

	private static final Duration LEASE = Duration.ofMillis(300);

	private static final Duration RETENTION = Duration.ofMinutes(10);

	private static final AtomicInteger KEYS = new AtomicInteger();

	private static EmbeddedRedis redis;

	private static LettuceConnectionFactory connections;

	private static RedisIdempotencyStore store;

	private Node first;

	private Node second;

	private String value;

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

	@BeforeEach
	void startNodes() {
		this.first = new Node("shop@a:1");
		this.second = new Node("shop@b:2");
		this.value = "order-" + KEYS.incrementAndGet();
	}

	@AfterEach
	void stopNodes() {
		this.first.gate.close();
		this.second.gate.close();
	}

	/** What an operator computes from the raw key that a client sent. */
	private OperationKey key() {
		return OperationKey.of("shop", "Orders.place", List.of("alice"), this.value);
	}

	private Submission submission() {
		return new Submission(key(), this.value, new Fingerprint(Digest.sha256().add("content").build()),
				ClaimRequest.Admission.OPEN, Duration.ZERO);
	}

	private static OperationPolicy policy(Duration lease) {
		return new OperationPolicy("Orders.place", lease, RETENTION, Duration.ofSeconds(5), WhenCompleted.REPLAY,
				WhenInProgress.REJECT, WhenUnknown.REJECT, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");
	}

	/** A node dies with a claim: nothing renews it. */
	private void leaveStuck() {
		Node dead = new Node("shop@dead:3");
		dead.run(LEASE);
		dead.gate.close();
		await().until(() -> this.first.administration.find(key()).state() == RecordState.UNKNOWN);
	}

	private static Done done(InterventionResult result) {
		assertThat(result).isInstanceOf(Done.class);
		return (Done) result;
	}

	private static RefusedBecause refusal(InterventionResult result) {
		assertThat(result).isInstanceOf(Refused.class);
		return ((Refused) result).reason();
	}

	@Nested
	class StuckOperations {

		@Test
		void aStuckOperationIsFoundFromTheRawKey() {
			leaveStuck();
			OperationRecord record = second.administration.find(key());
			assertThat(record.state()).isEqualTo(RecordState.UNKNOWN);
			assertThat(record.advice()).isEqualTo(Advice.CHECK);
			assertThat(record.storeName()).isEqualTo("idem:" + key().encoded());
			assertThat(record.hash()).hasSize(12).isEqualTo(key().toString());
			assertThat(record.age()).isBetween(LEASE, Duration.ofMinutes(1));
			assertThat(record.onThisNode()).isFalse();
			assertThat(record.origin()).satisfies((origin) -> {
				assertThat(origin.node()).isEqualTo("shop@dead:3");
				assertThat(origin.operation()).isEqualTo("Orders.place");
				assertThat(origin.traceparent()).isEqualTo(TRACE);
			});
		}

		@Test
		void aStuckOperationIsFoundFromTheShortHash() {
			leaveStuck();
			KeyPrefix hash = new KeyPrefix(key().toString());
			assertThat(second.administration.find(hash).records()).extracting(OperationRecord::key)
				.containsExactly(key());
		}

		@Test
		void anUnknownOutcomeIsListedOnceItWasMet() {
			leaveStuck();
			assertThat(first.enter(LEASE)).isEqualTo(new Decision.Refused(Refusal.OUTCOME_UNKNOWN));
			UnknownOperation unknown = second.administration.unknown(100).operations().get(0);
			assertThat(unknown.key()).isEqualTo(key());
			assertThat(unknown.operation()).isEqualTo("Orders.place");
			assertThat(unknown.node()).isEqualTo("shop@dead:3");
			assertThat(unknown.attempt()).isEqualTo(1);
		}

		@Test
		void whatIsReleasedRunsAgainExactlyOnce() {
			leaveStuck();
			Done done = done(first.administration.release(key(), "ops", "not booked", false));
			assertThat(done.record().state()).isEqualTo(RecordState.ISSUED);
			Claim claim = second.run(LEASE);
			assertThat(claim.attempt()).isEqualTo(2);
			assertThat(first.enter(LEASE)).isEqualTo(new Decision.Refused(Refusal.IN_PROGRESS));
			claim.end(new End.Completed(ANSWER));
			assertThat(first.enter(LEASE)).isInstanceOf(Decision.Replay.class);
			assertThat(second.enter(LEASE)).isInstanceOf(Decision.Replay.class);
		}

		@Test
		void whatIsConfirmedIsDoneOnBothNodesAtOnce() {
			leaveStuck();
			done(first.administration.confirm(key(), "ops", "booked", false));
			for (Node node : List.of(first, second)) {
				assertThat(node.enter(LEASE)).isInstanceOfSatisfying(Decision.Refused.class,
						(refused) -> assertThat(refused.reason()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE));
				assertThat(node.administration.find(key()).state()).isEqualTo(RecordState.COMPLETED);
			}
		}

		@Test
		void anInterventionIsKeptAndPublished() {
			leaveStuck();
			Node node = first;
			Intervention made = done(node.administration.release(key(), "ops", "not\nbooked", false)).intervention();
			assertThat(made.forced()).isFalse();
			assertThat(made.operation()).isEqualTo("Orders.place");
			assertThat(node.administration.interventions()).containsExactly(made);
			assertThat(node.published).containsExactly(made);
			assertThat(refusal(node.administration.release(key(), "ops", "again", false)))
				.isEqualTo(RefusedBecause.NOT_IN_PROGRESS);
			assertThat(node.administration.interventions()).hasSize(1);
			assertThatIllegalArgumentException()
				.isThrownBy(() -> node.administration.release(key(), "ops", " ", false));
		}

	}

	@Nested
	class LiveOwners {

		@Test
		void aLiveOwnerRefuses() {
			Claim claim = first.run(Duration.ofSeconds(30));
			IdempotencyAdministration administration = second.administration;
			assertThat(refusal(administration.release(key(), "ops", "slow", false)))
				.isEqualTo(RefusedBecause.OWNER_ALIVE);
			assertThat(refusal(administration.confirm(key(), "ops", "slow", false)))
				.isEqualTo(RefusedBecause.OWNER_ALIVE);
			assertThat(administration.find(key()).onThisNode()).isFalse();
			assertThat(first.administration.find(key()).onThisNode()).isTrue();
			assertThat(first.administration.running()).isEqualTo(1);
			claim.end(new End.Completed(ANSWER));
			assertThat(first.administration.running()).isZero();
		}

		@Test
		void anOwnerThatWasReleasedByForceHasLostItsClaim() {
			Node owner = first;
			Claim claim = owner.run(Duration.ofSeconds(30));
			Done done = done(second.administration.release(key(), "ops", "hangs", true));
			assertThat(done.intervention().forced()).isTrue();
			claim.end(new End.Completed(ANSWER));
			assertThat(owner.events).contains(IdempotencyEvent.Type.CLAIM_LOST)
				.doesNotContain(IdempotencyEvent.Type.COMPLETED);
			assertThat(second.enter(LEASE)).isInstanceOf(Decision.Run.class);
		}

		@Test
		void anOwnerThatWasConfirmedByForceContradictsNoCache() {
			Node owner = first;
			Claim claim = owner.run(Duration.ofSeconds(30));
			done(second.administration.confirm(key(), "ops", "booked", true));
			claim.end(new End.Completed(ANSWER));
			assertThat(owner.events).contains(IdempotencyEvent.Type.CLAIM_LOST);
			for (Node node : List.of(first, second)) {
				assertThat(node.enter(LEASE)).isInstanceOfSatisfying(Decision.Refused.class,
						(refused) -> assertThat(refused.reason()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE));
			}
		}

		@Test
		void aRenewalLearnsThatItsClaimWasReleased() {
			Node owner = first;
			owner.run(LEASE);
			done(second.administration.release(key(), "ops", "hangs", true));
			await().until(() -> owner.events.contains(IdempotencyEvent.Type.CLAIM_LOST));
		}

	}

	@Nested
	class Races {

		/**
		 * The owner completes or gives up, a submission arrives, and two operators
		 * decide, all at once. However they interleave, each success is one that the
		 * record bears out.
		 */
		@RepeatedTest(40)
		void oneOfThemDecides() throws Exception {
			long seed = System.nanoTime();
			List<Runnable> parts = new ArrayList<>();
			Claim claim = first.run(Duration.ofSeconds(30));
			List<InterventionResult> results = new CopyOnWriteArrayList<>();
			List<Decision> decisions = new CopyOnWriteArrayList<>();
			parts.add(() -> claim.end(new End.Completed(ANSWER)));
			parts.add(() -> results.add(first.administration.release(key(), "one", "race", true)));
			parts.add(() -> results.add(second.administration.confirm(key(), "two", "race", true)));
			parts.add(() -> decisions.add(second.enter(Duration.ofSeconds(30))));
			together(parts, new Random(seed));
			OperationRecord record = second.administration.find(key());
			long settled = results.stream().filter(Done.class::isInstance).count();
			boolean completed = first.events.contains(IdempotencyEvent.Type.COMPLETED);
			boolean ran = decisions.get(0) instanceof Decision.Run;
			String what = "seed " + seed + ": " + results + ", " + decisions + ", " + record;
			assertThat(first.events.contains(IdempotencyEvent.Type.CLAIM_LOST)).as(what).isEqualTo(!completed);
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

	}

	/** One node: a gate with a near cache of its own, and its administration. */
	private final class Node {

		private final List<IdempotencyEvent.Type> events = new CopyOnWriteArrayList<>();

		private final List<Intervention> published = new CopyOnWriteArrayList<>();

		private final IdempotencyGate gate;

		private final IdempotencyAdministration administration;

		Node(String name) {
			OutcomeCache cache = new MapCache();
			this.gate = new IdempotencyGateBuilder(store).outcomeCache(cache)
				.listeners(List.of((IdempotencyEvent event) -> this.events.add(event.type())))
				.origin("shop", name, () -> TRACE)
				.build();
			this.administration = new DefaultIdempotencyAdministration(this.gate, store, cache, null, "shop", name,
					this.published::add);
		}

		Decision enter(Duration lease) {
			return this.gate
				.enter(Entrance.METHOD, new SubmissionContext(policy(lease)), submission(), (answer) -> false)
				.decision();
		}

		Claim run(Duration lease) {
			Decision decision = enter(lease);
			assertThat(decision).isInstanceOf(Decision.Run.class);
			return ((Decision.Run) decision).claim();
		}

	}

	private static final class MapCache implements OutcomeCache {

		private final Map<OperationKey, Entry> entries = new ConcurrentHashMap<>();

		@Override
		public @Nullable Entry find(OperationKey key) {
			return this.entries.get(key);
		}

		@Override
		public void put(OperationKey key, Entry entry, Duration retention) {
			this.entries.put(key, entry);
		}

	}

}
