package io.idempotent.messaging;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.IdempotencyTemplate.Entry;
import io.idempotent.testing.JavaProcess;
import io.idempotent.testing.StandStill;
import io.idempotent.testing.TestPostgres;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static io.idempotent.IdempotencyEvent.Type.COMPLETED;
import static io.idempotent.IdempotencyEvent.Type.REFUSED;
import static io.idempotent.IdempotencyEvent.Type.REPLAYED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What holds of every broker: a payment is booked once, whatever happens to its message.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PaymentsContract {

	private final Class<?> listener;

	private final TestPostgres postgres = TestPostgres.start();

	private List<String> broker = List.of();

	private @Nullable ConfigurableApplicationContext running;

	PaymentsContract(Class<?> listener) {
		this.listener = listener;
	}

	/**
	 * Starts the broker.
	 * @return where an application finds it
	 */
	abstract List<String> startBroker() throws Exception;

	abstract void stopBroker() throws Exception;

	/**
	 * Creates a queue.
	 */
	abstract void declare(ConfigurableApplicationContext application, String queue);

	/**
	 * Sends a message with an id that its producer has drawn.
	 */
	abstract void send(ConfigurableApplicationContext application, String queue, String payment, String id);

	/**
	 * Returns the key of the message.
	 */
	String key(String id) {
		return id;
	}

	@BeforeAll
	final void start() throws Exception {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
		database().sql("create table booking (payment varchar(60) not null)").update();
		this.broker = startBroker();
		this.running = run("payments", "idempotent.initialize-schema=always", "shop.wait=100ms");
	}

	@AfterAll
	final void stop() throws Exception {
		running().close();
		stopBroker();
		this.postgres.close();
		Awaitility.reset();
	}

	@BeforeEach
	final void clear() {
		database().sql("truncate booking").update();
		tally().clear();
	}

	@Test
	void aMessageThatWasSentTwiceIsBookedOnce() {
		String id = UUID.randomUUID().toString();
		send(running(), "payments", "p-1", id);
		send(running(), "payments", "p-1", id);
		await().until(() -> tally().of(COMPLETED) == 1 && tally().of(REPLAYED) == 1);
		assertThat(bookings()).containsExactly("p-1");
	}

	@Test
	@Tag("slow")
	void aRefusedMessageComesBack() {
		String id = UUID.randomUUID().toString();
		IdempotencyTemplate template = running().getBean(IdempotencyTemplate.class);
		if (!(template.before("payments", key(id)) instanceof Entry.Proceed<@Nullable Void> other)) {
			throw new AssertionError("refused");
		}
		try (var attempt = other.attempt()) {
			send(running(), "payments", "p-2", id);
			await().until(() -> tally().of(REFUSED) > 1);
			assertThat(bookings()).isEmpty();
			attempt.failed();
		}
		await().until(() -> tally().of(COMPLETED) == 1);
		assertThat(bookings()).containsExactly("p-2");
	}

	@Test
	@Tag("slow")
	void aConsumerIsKilledBeforeItAcknowledges() {
		declare(running(), "killed");
		send(running(), "killed", "p-3", UUID.randomUUID().toString());
		runAndKill("killed");
		assertThat(bookings()).containsExactly("p-3");
		try (ConfigurableApplicationContext successor = run("killed")) {
			await().until(() -> successor.getBean(Tally.class).of(REPLAYED) == 1);
		}
		assertThat(bookings()).containsExactly("p-3");
	}

	/** Kills an application ({@code kill -9}) that stands after its first commit. */
	final void runAndKill(String queue) {
		List<String> arguments = new ArrayList<>(List.of(this.listener.getName()));
		arguments.addAll(arguments(queue));
		try (JavaProcess process = JavaProcess.start(Shop.class, arguments)) {
			process.await(StandStill.REPORT);
		}
	}

	final ConfigurableApplicationContext running() {
		return Objects.requireNonNull(this.running);
	}

	final Tally tally() {
		return running().getBean(Tally.class);
	}

	final List<String> bookings() {
		return database().sql("select payment from booking").query(String.class).list();
	}

	private JdbcClient database() {
		return JdbcClient.create(this.postgres.dataSource());
	}

	final ConfigurableApplicationContext run(String queue, String... options) {
		return new SpringApplicationBuilder(Shop.class, this.listener)
			.run(arguments(queue, options).toArray(String[]::new));
	}

	final List<String> arguments(String queue, String... options) {
		List<String> properties = new ArrayList<>(this.broker);
		properties.add("spring.datasource.url=" + this.postgres.url());
		properties.add("shop.payments=" + queue);
		properties.addAll(List.of(options));
		return properties.stream().map((property) -> "--" + property).toList();
	}

}
