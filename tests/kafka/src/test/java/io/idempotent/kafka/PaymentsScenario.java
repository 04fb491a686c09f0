package io.idempotent.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.testing.JavaProcess;
import io.idempotent.testing.StandStill;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

import static io.idempotent.IdempotencyEvent.Type.GRANTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Messages of which many are repeats, and the applications that consume them.
 */
abstract class PaymentsScenario {

	private static Servers servers;

	private Bookings bookings;

	private Random random;

	private String topic;

	private final Class<?> listener;

	private final List<String> always;

	PaymentsScenario(Class<?> listener, String... always) {
		this.listener = listener;
		this.always = List.of(always);
	}

	final Bookings bookings() {
		return this.bookings;
	}

	final Random random() {
		return this.random;
	}

	@BeforeAll
	static void start() {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
		servers = Servers.start();
	}

	@AfterAll
	static void stop() {
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

	/** Each of the payments fails the first time. */
	static Incident firstFailure(Set<String> toFail) {
		return (payment) -> {
			if (toFail.remove(payment.id())) {
				throw new IllegalStateException("The first time");
			}
		};
	}

	/** Draws one payment out of so many. */
	final Set<String> oneOutOf(int count) {
		return Messages.ids()
			.stream()
			.filter((id) -> this.random.nextInt(count) == 0)
			.collect(Collectors.toCollection(ConcurrentHashMap::newKeySet));
	}

	final Map<Stop.Point, String> killConsumersAndLetAnotherOneFinish(String... options) {
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
			.collect(Collectors.toMap((point) -> point, (point) -> CompletableFuture
				.supplyAsync(() -> killAt(point, options), (task) -> new Thread(task).start())));
		return killed.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().join()));
	}

	/**
	 * Kills a consumer ({@code kill -9}) as soon as it has stopped, at the payment that
	 * is returned.
	 */
	private String killAt(Stop.Point point, List<String> options) {
		List<String> arguments = new ArrayList<>(List.of(this.listener.getName(), point.name()));
		arguments.addAll(arguments("killed " + point, options.toArray(String[]::new)));
		arguments.add("--spring.kafka.consumer.heartbeat-interval=500ms");
		arguments.add("--spring.kafka.consumer.properties.session.timeout.ms=2000");
		// So that one batch leaves enough for the others to stop at.
		arguments.add("--spring.kafka.consumer.max-poll-records=100");
		try (JavaProcess process = JavaProcess.start(Stop.class, arguments)) {
			return process.await(StandStill.REPORT + "(.*)");
		}
	}

	final RunningShop start(String consumer, Incident incident, String... options) {
		return RunningShop.start(this.listener, incident, arguments(consumer, options));
	}

	private List<String> arguments(String consumer, String... options) {
		List<String> properties = new ArrayList<>(servers.asProperties());
		properties.add("shop.payments=" + this.topic);
		properties.add("shop.consumer=" + consumer);
		properties.add("spring.kafka.consumer.group-id=" + this.topic);
		properties.add("idempotent.namespace=" + this.topic);
		properties.addAll(this.always);
		properties.addAll(List.of(options));
		return properties.stream().map((property) -> "--" + property).collect(Collectors.toList());
	}

	final void awaitAllAcknowledged() {
		await().until(() -> servers.acknowledged(this.topic) == Messages.PAYMENTS + Messages.REPEATS);
	}

	final void assertEachIsBookedOnce() {
		assertThat(this.bookings.repeated()).isEmpty();
		assertThat(this.bookings.missing()).isEmpty();
	}

}
