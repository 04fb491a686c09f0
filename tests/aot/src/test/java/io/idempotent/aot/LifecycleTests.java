package io.idempotent.aot;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.idempotent.Idempotent;
import io.idempotent.aot.bank.BankApplication;
import io.idempotent.aot.bank.Booking;
import io.idempotent.aot.bank.Ledger;
import io.idempotent.aot.bank.Payment;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Applications that are stopped and started again, refreshed several times in one JVM, or
 * initialized lazily.
 */
@Tag("slow")
class LifecycleTests {

	private static EmbeddedRedis redis;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	private static ConfigurableApplicationContext run(Class<?> more, String... arguments) {
		List<String> all = new ArrayList<>(
				List.of("--spring.config.name=bank", "--spring.data.redis.port=" + redis.port(),
						"--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID()));
		all.addAll(List.of(arguments));
		return new SpringApplicationBuilder(BankApplication.class, more).run(all.toArray(String[]::new));
	}

	private static ConfigurableApplicationContext run(String... arguments) {
		return run(BankApplication.class, arguments);
	}

	private static ResponseEntity<String> pay(ConfigurableApplicationContext bank, String path, String id) {
		int port = ((ServletWebServerApplicationContext) bank).getWebServer().getPort();
		return RestClient.create("http://localhost:" + port)
			.post()
			.uri(path)
			.header("Idempotency-Key", "\"" + id + "\"")
			.body(new Payment(id, BigDecimal.TEN))
			.retrieve()
			.onStatus((status) -> true, (request, response) -> {
			})
			.toEntity(String.class);
	}

	private static void assertPaysOnce(ConfigurableApplicationContext bank) {
		String id = UUID.randomUUID().toString();
		ResponseEntity<String> first = pay(bank, "/by-header", id);
		assertThat(first.getStatusCode()).as(first.getBody()).isEqualTo(HttpStatus.OK);
		assertThat(pay(bank, "/by-header", id).getBody()).isEqualTo(first.getBody());
		Ledger ledger = bank.getBean(Ledger.class);
		Payment transfer = new Payment("transfer-" + id, BigDecimal.ONE);
		Booking booked = ledger.transfer(transfer);
		assertThat(ledger.transfer(transfer)).isEqualTo(booked);
		assertThat(List.of(ledger.countOf(id), ledger.countOf(transfer.id()))).containsExactly(1, 1);
		assertThat(ledger.audit(transfer)).isTrue();
	}

	/** Those that the library has started in this JVM and that have not ended. */
	private static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("idempotent-") || name.startsWith("redisson-"))
			.sorted()
			.toList();
	}

	/** Some end a second after their context. */
	private static void awaitNoThreads() {
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(threads()).isEmpty());
	}

	@Nested
	@ExtendWith(OutputCaptureExtension.class)
	class InitializedLazily {

		private static final String LAZY = "--spring.main.lazy-initialization=true";

		@Test
		void nothingIsUnprotected(CapturedOutput output) {
			try (ConfigurableApplicationContext bank = run(LAZY)) {
				assertThat(bank.getBeanFactory().getBeanDefinition("ledger").isLazyInit()).isTrue();
				assertThat(output).contains("Idempotency: namespace 'bank'");
				assertPaysOnce(bank);
			}
		}

		@Test
		void receiptsArePurged() {
			try (ConfigurableApplicationContext bank = run(LAZY)) {
				String[] purges = bank.getBeanFactory().getBeanNamesForType(GuardPurge.class);
				assertThat(purges).contains("io.idempotent.receiptPurge")
					.allSatisfy((name) -> assertThat(bank.getBeanFactory().containsSingleton(name)).isTrue());
			}
		}

		@Test
		void anUnworkableKeyFailsTheStart() {
			assertThatException().isThrownBy(() -> run(Unworkable.class, LAZY, "--idempotent.store.type=local").close())
				.withStackTraceContaining("#unknown");
		}

		@Test
		void aStoreThatIsRequiredFailsTheStart() {
			assertThatException()
				.isThrownBy(() -> run(LAZY, "--idempotent.store.required-at-start=true",
						"--spring.data.redis.host=redis.invalid")
					.close())
				.withStackTraceContaining("StartUpException");
		}

	}

	@Nested
	class StoppedAndStarted {

		@Test
		void theLifecycleOfACheckpointKeepsPromises() {
			try (ConfigurableApplicationContext bank = run()) {
				assertPaysOnce(bank);
				bank.stop();
				bank.start();
				assertPaysOnce(bank);
			}
		}

		@Test
		void contextsInOneJvmLeaveNothing() {
			int beans = ManagementFactory.getPlatformMBeanServer().getMBeanCount();
			awaitNoThreads();
			for (int i = 0; i < 3; i++) {
				try (ConfigurableApplicationContext bank = run()) {
					assertPaysOnce(bank);
				}
			}
			awaitNoThreads();
			assertThat(ManagementFactory.getPlatformMBeanServer().getMBeanCount()).isEqualTo(beans);
		}

		@Test
		void theCloudPlatformChangesNothing() {
			try (ConfigurableApplicationContext bank = run("--spring.main.cloud-platform=kubernetes",
					"--server.shutdown=graceful")) {
				assertPaysOnce(bank);
			}
		}

	}

	static class Unworkable {

		@Idempotent(key = "#unknown")
		public void run(String id) {
		}

	}

}
