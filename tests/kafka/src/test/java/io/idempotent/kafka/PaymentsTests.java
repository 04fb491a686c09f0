package io.idempotent.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

import static io.idempotent.IdempotencyEvent.Type.COMPLETED;
import static io.idempotent.IdempotencyEvent.Type.GRANTED;
import static io.idempotent.IdempotencyEvent.Type.RELEASED;
import static io.idempotent.IdempotencyEvent.Type.REPLAYED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Of 10,000 messages 3,000 are repeats. Whatever happens to those who consume them, a
 * payment is booked once.
 */
@Timeout(400)
@Tag("slow")
class PaymentsTests {

	private static Servers servers;

	private Bookings bookings;

	private Random random;

	private String topic;

	@BeforeAll
	static void start() throws IOException {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
		servers = Servers.start();
	}

	@AfterAll
	static void stop() throws IOException {
		servers.close();
		Awaitility.reset();
	}

	@BeforeEach
	void send(TestInfo test) throws Exception {
		long seed = System.nanoTime();
		System.out.println(test.getDisplayName() + " draws with seed " + seed);
		this.random = new Random(seed);
		this.topic = "payments-" + seed;
		servers.kafka().addTopics(this.topic);
		Messages.draw(this.random).sendTo(this.topic, servers.kafka().getBrokersAsString());
		this.bookings = new Bookings(servers.database());
		this.bookings.clear();
	}

	@Test
	void aMessageThatWasSentAgainIsNotBookedAgain() {
		try (RunningShop shop = start("only", Incident.NONE, "spring.kafka.listener.concurrency=3")) {
			awaitAllAcknowledged();
			assertEachIsBookedOnce();
			assertThat(shop.tally().all()).isEqualTo(
					Map.of(GRANTED, Messages.PAYMENTS, COMPLETED, Messages.PAYMENTS, REPLAYED, Messages.REPEATS));
		}
	}

	@Test
	void aFailedMessageIsRedeliveredAndBooked() {
		Set<String> toFail = Messages.ids()
			.stream()
			.filter((id) -> this.random.nextInt(50) == 0)
			.collect(Collectors.toCollection(ConcurrentHashMap::newKeySet));
		int failures = toFail.size();
		Incident failure = (payment) -> {
			if (toFail.remove(payment.id())) {
				throw new IllegalStateException("The first time");
			}
		};
		try (RunningShop shop = start("only", failure, "spring.kafka.listener.concurrency=3")) {
			awaitAllAcknowledged();
			assertEachIsBookedOnce();
			assertThat(shop.tally().all()).isEqualTo(Map.of(GRANTED, Messages.PAYMENTS + failures, RELEASED, failures,
					COMPLETED, Messages.PAYMENTS, REPLAYED, Messages.REPEATS));
		}
	}

	@Test
	void consumersMayJoinAndLeave() {
		Tally first;
		Tally second;
		// Slow enough that something is left for the second one.
		Incident slow = (payment) -> LockSupport.parkNanos(1_000_000);
		try (RunningShop staying = start("staying", slow, "spring.kafka.consumer.max-poll-records=50")) {
			await().until(() -> this.bookings.of("staying") > 500);
			try (RunningShop leaving = start("leaving", Incident.NONE, "spring.kafka.consumer.max-poll-records=50")) {
				await().until(() -> this.bookings.of("leaving") > 500);
				second = leaving.tally();
			}
			awaitAllAcknowledged();
			first = staying.tally();
		}
		assertEachIsBookedOnce();
		assertThat(first.of(GRANTED) + second.of(GRANTED)).isEqualTo(Messages.PAYMENTS);
		assertThat(first.of(REPLAYED) + second.of(REPLAYED)).isGreaterThanOrEqualTo(Messages.REPEATS);
	}

	/**
	 * A consumer of two threads stands still with two payments, for longer than its group
	 * allows. One of them is booked in the end, the other one not.
	 */
	@Test
	void aMessageInProgressIsRedelivered() throws Exception {
		CountDownLatch stuck = new CountDownLatch(2);
		CountDownLatch free = new CountDownLatch(1);
		AtomicBoolean toFail = new AtomicBoolean(true);
		Incident incident = (payment) -> {
			stuck.countDown();
			awaitUninterruptibly(free);
			if (toFail.compareAndSet(true, false)) {
				throw new IllegalStateException("After all that time");
			}
		};
		String briefly = "idempotent.operations[PaymentListener.receive].wait-timeout=100ms";
		try (RunningShop slow = start("slow", incident, briefly, "spring.kafka.listener.concurrency=2",
				"spring.kafka.consumer.max-poll-records=50",
				"spring.kafka.consumer.properties.max.poll.interval.ms=2000")) {
			stuck.await();
			try (RunningShop successor = start("successor", Incident.NONE, briefly)) {
				await().until(() -> successor.tally().refusedKeys().size() == 2);
				free.countDown();
				awaitAllAcknowledged();
			}
			assertThat(slow.tally().of(RELEASED)).isEqualTo(1);
		}
		assertEachIsBookedOnce();
	}

	/**
	 * One consumer is killed before its commit, one after its commit and before its
	 * record, one after its record and before its acknowledgement.
	 */
	@Test
	void withoutReceiptsAKillAfterTheCommitBooksTwice() {
		Map<Stop.Point, String> killed = killConsumersAndLetAnotherOneFinish("idempotent.guard.enabled=false");
		assertThat(this.bookings.repeated()).isEqualTo(Map.of(killed.get(Stop.Point.AFTER_COMMIT), 2));
		assertThat(this.bookings.missing()).isEmpty();
	}

	@Test
	void withReceiptsEachPaymentIsBookedOnceDespiteKills() {
		killConsumersAndLetAnotherOneFinish("idempotent.guard.enabled=true",
				"idempotent.guard.initialize-schema=always");
		assertEachIsBookedOnce();
	}

	private Map<Stop.Point, String> killConsumersAndLetAnotherOneFinish(String... options) {
		List<String> all = new ArrayList<>(List.of(options));
		// So that nobody waits for long for those that were killed.
		all.add("idempotent.defaults.lease=2s");
		Map<Stop.Point, String> killed = killAtEachPoint(all);
		try (RunningShop survivor = start("survivor", Incident.NONE, all.toArray(String[]::new))) {
			awaitAllAcknowledged();
			assertThat(survivor.tally().of(GRANTED)).isPositive();
		}
		return killed;
	}

	private Map<Stop.Point, String> killAtEachPoint(List<String> options) {
		Map<Stop.Point, CompletableFuture<String>> killed = Stream.of(Stop.Point.values())
			.collect(Collectors.toMap((point) -> point, (point) -> {
				List<String> arguments = arguments("killed " + point, options.toArray(String[]::new));
				arguments.add("--spring.kafka.consumer.heartbeat-interval=500ms");
				arguments.add("--spring.kafka.consumer.properties.session.timeout.ms=2000");
				return ShopProcess.start(point, 100, arguments).killWhereItStops();
			}));
		return killed.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().join()));
	}

	private RunningShop start(String consumer, Incident incident, String... options) {
		return RunningShop.start(incident, arguments(consumer, options));
	}

	private List<String> arguments(String consumer, String... options) {
		List<String> properties = new ArrayList<>(servers.asProperties());
		properties.add("shop.payments=" + this.topic);
		properties.add("shop.consumer=" + consumer);
		properties.add("spring.kafka.consumer.group-id=" + this.topic);
		properties.add("idempotent.namespace=" + this.topic);
		properties.addAll(List.of(options));
		return properties.stream().map((property) -> "--" + property).collect(Collectors.toList());
	}

	private void awaitAllAcknowledged() {
		await().until(() -> servers.acknowledged(this.topic) == Messages.PAYMENTS + Messages.REPEATS);
	}

	private void assertEachIsBookedOnce() {
		assertThat(this.bookings.repeated()).isEmpty();
		assertThat(this.bookings.missing()).isEmpty();
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
