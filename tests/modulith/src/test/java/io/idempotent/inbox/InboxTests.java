package io.idempotent.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.idempotent.Idempotent;
import io.idempotent.testing.JavaProcess;
import io.idempotent.testing.Schemas;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.Unchecked;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Spring Modulith delivers an event at least once. Its listener takes effect once.
 */
@Tag("slow")
class InboxTests {

	private static final String UNPROTECTED = "inbox.protected=false";

	private static final String REPUBLISH = "spring.modulith.events.republish-outstanding-events-on-restart=true";

	private static TestPostgres postgres;

	private static Reservations reservations;

	@BeforeAll
	static void start() {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(4));
		postgres = TestPostgres.start();
		reservations = new Reservations(JdbcClient.create(postgres.dataSource()));
		reservations.create();
		Schemas.create(postgres.dataSource(), "postgresql", "jdbc/store", "jdbc/receipt");
		new ResourceDatabasePopulator(
				new ClassPathResource("org/springframework/modulith/events/jdbc/schemas/v2/schema-postgresql.sql"))
			.execute(postgres.dataSource());
	}

	@AfterAll
	static void stop() {
		postgres.close();
		Awaitility.reset();
	}

	@BeforeEach
	void clear() {
		reservations.clear();
	}

	@Nested
	class OnOneNode {

		private static ConfigurableApplicationContext node;

		private static Incident incident = Incident.NONE;

		@BeforeAll
		static void start() {
			node = run((order) -> incident.happenTo(order));
		}

		@AfterAll
		static void stop() {
			node.close();
		}

		@BeforeEach
		void behave() {
			incident = Incident.NONE;
		}

		@Test
		void eachPublicationIsAKey() {
			place(node, "a", "b", "a");
			awaitCompletion();
			assertThat(reservations.all()).isEqualTo(3);
			assertThat(reservations.wrong()).isEmpty();
		}

		@Test
		void aFailureIsDeliveredAgain() {
			Set<String> failed = ConcurrentHashMap.newKeySet();
			incident = (order) -> {
				if (failed.add(order)) {
					throw new IllegalStateException("The first time");
				}
			};
			place(node, "a", "b");
			awaitCompletion();
			assertThat(reservations.wrong()).isEmpty();
			assertThat(reservations.deliveredAgain()).isEqualTo(2);
		}

		@Test
		void theListenerRunsAsynchronouslyInATransaction() {
			Map<String, Boolean> transactions = new ConcurrentHashMap<>();
			incident = (order) -> transactions.put(Thread.currentThread().getName(),
					TransactionSynchronizationManager.isActualTransactionActive());
			place(node, "a");
			awaitCompletion();
			assertThat(transactions).hasSize(1).containsValue(true).doesNotContainKey(Thread.currentThread().getName());
		}

		@Test
		void aRolledBackPublisherHasNoEffect() {
			node.getBean(TransactionTemplate.class).executeWithoutResult((transaction) -> {
				place(node, "a");
				transaction.setRollbackOnly();
			});
			place(node, "b");
			awaitCompletion();
			assertThat(reservations.all()).isEqualTo(1);
			assertThat(reservations.wrong()).isEmpty();
		}

	}

	/**
	 * One node handles an event while another one starts and delivers it again, see
	 * spring-modulith#663.
	 */
	@Nested
	class OnTwoNodes {

		@Test
		void theSecondWaitsForTheFirst() {
			handleOnTwoNodes();
			assertThat(reservations.wrong()).isEmpty();
			assertThat(reservations.deliveredAgain()).isEqualTo(1);
		}

		@Test
		void withoutIdempotencyBothHaveAnEffect() {
			handleOnTwoNodes(UNPROTECTED);
			// Twice, or more often if the second node delivers it once more.
			assertThat(reservations.wrong()).singleElement().asString().matches("a: placed 1, reserved [2-9]");
		}

		private static void handleOnTwoNodes(String... options) {
			CountDownLatch entered = new CountDownLatch(1);
			CountDownLatch free = new CountDownLatch(1);
			Incident slow = (order) -> {
				entered.countDown();
				Unchecked.run(() -> free.await());
			};
			List<String> restarted = new ArrayList<>(List.of(options));
			restarted.add(REPUBLISH);
			try (ConfigurableApplicationContext first = run(slow, options)) {
				place(first, "a");
				Unchecked.run(() -> entered.await());
				try (ConfigurableApplicationContext second = run(Incident.NONE, restarted.toArray(String[]::new))) {
					assertThat(second.isRunning()).isTrue();
					await().until(() -> reservations.deliveredAgain() > 0);
					if (restarted.contains(UNPROTECTED)) {
						await().until(() -> reservations.all() > 0);
					}
					free.countDown();
					awaitCompletion();
				}
			}
		}

	}

	/**
	 * Of three nodes two are killed while a listener stands between its effect and its
	 * commit, or between its commit and its record, and the third one at any time. Then
	 * they are started again.
	 */
	@Nested
	class OnThreeNodesWithKills {

		private static final int ORDERS = 100;

		@Test
		void eachEventHasOneEffect() {
			killAndRestart();
			assertThat(reservations.wrong()).isEmpty();
			assertThat(reservations.deliveredAgain()).isPositive();
		}

		@Test
		void withoutIdempotencyOneHasTwo() {
			List<String> arguments = arguments(UNPROTECTED);
			String committed = Node
				.killWhereItStops(Node.start("committed", ORDERS, Node.Stop.AFTER_COMMIT, 50, arguments));
			try (ConfigurableApplicationContext restarted = run(Incident.NONE, UNPROTECTED, REPUBLISH)) {
				assertThat(restarted.isRunning()).isTrue();
				awaitCompletion();
			}
			assertThat(reservations.wrong()).contains(committed + ": placed 1, reserved 2");
		}

		private static void killAndRestart() {
			List<String> arguments = arguments();
			// Bounded, since the restarted nodes get back all that it leaves.
			try (JavaProcess any = Node.start("any", 5 * ORDERS, Node.Stop.NOWHERE, 0, arguments);
					JavaProcess before = Node.start("uncommitted", ORDERS, Node.Stop.BEFORE_COMMIT, 50, arguments);
					JavaProcess after = Node.start("committed", ORDERS, Node.Stop.AFTER_COMMIT, 50, arguments)) {
				Node.killWhereItStops(before);
				Node.killWhereItStops(after);
				await().until(() -> reservations.all() > ORDERS);
				assertThat(any.isAlive()).isTrue();
			}
			restart(arguments);
		}

		private static void restart(List<String> arguments) {
			List<String> restarted = new ArrayList<>(arguments);
			restarted.add("--" + REPUBLISH);
			List<JavaProcess> nodes = IntStream.range(0, 3)
				.mapToObj((i) -> Node.start("restarted-" + i, ORDERS / 10, Node.Stop.NOWHERE, 0, restarted))
				.toList();
			try {
				await().until(() -> reservations.placedBy("restarted-") == 3 * (ORDERS / 10));
				awaitCompletion();
			}
			finally {
				nodes.forEach(JavaProcess::close);
			}
		}

	}

	/**
	 * A listener that is retried within one delivery: Spring's retry advice is outside
	 * that of Spring Modulith.
	 */
	@Nested
	class Retried {

		@Test
		void eachAttemptHasTheKeyOfThePublication() {
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Shop.class)
				.run(arguments().toArray(String[]::new))) {
				context.getBean(Orders.class).place("a");
				List<String> sent = context.getBean(Mail.class).sent();
				await().until(() -> sent.size() == 2);
				awaitCompletion();
				assertThat(sent).containsExactly("a", "a");
			}
		}

	}

	private static void place(ConfigurableApplicationContext node, String... orders) {
		for (String order : orders) {
			node.getBean(Orders.class).place(order);
		}
	}

	private static void awaitCompletion() {
		await().until(() -> reservations.incomplete() == 0);
	}

	private static ConfigurableApplicationContext run(Incident incident, String... options) {
		return new SpringApplicationBuilder(Inbox.class)
			.initializers((GenericApplicationContext context) -> context.registerBean(Incident.class, () -> incident))
			.run(arguments(options).toArray(String[]::new));
	}

	private static List<String> arguments(String... options) {
		List<String> properties = new ArrayList<>(List.of(options));
		properties.add("spring.datasource.url=" + postgres.url());
		return properties.stream().map((property) -> "--" + property).collect(Collectors.toList());
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableResilientMethods
	@Import({ Orders.class, Mail.class })
	static class Shop {

	}

	/**
	 * Fails the first time.
	 */
	static class Mail {

		private final List<String> sent = new CopyOnWriteArrayList<>();

		List<String> sent() {
			return this.sent;
		}

		@ApplicationModuleListener
		@Retryable(maxRetries = 2, delay = 10)
		@Idempotent
		void on(OrderPlaced event) {
			this.sent.add(event.order());
			if (this.sent.size() == 1) {
				throw new IllegalStateException("The first time");
			}
		}

	}

}
