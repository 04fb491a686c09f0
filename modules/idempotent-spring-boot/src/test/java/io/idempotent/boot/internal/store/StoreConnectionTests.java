package io.idempotent.boot.internal.store;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.StartUp;
import io.idempotent.store.IdempotencyStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.SpringProperties;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Answers.RETURNS_DEEP_STUBS;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class StoreConnectionTests {

	/**
	 * The check has a thread of its own, and a busy machine may not run it for seconds.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final RedisConnectionFactory connections = mock();

	private final RedisConnection connection = mock(RETURNS_DEEP_STUBS);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class))
		.withBean(RedisConnectionFactory.class, () -> this.connections);

	/** A script that found no claim. */
	@BeforeEach
	void theStoreAnswers() {
		given(this.connections.getConnection()).willReturn(this.connection);
		given(this.connection.scriptingCommands().evalSha(anyString(), any(), anyInt(), any(byte[][].class)))
			.willReturn(List.of(0L));
	}

	@Test
	void theStoreConnectsWhileOtherBeansAreCreated() {
		CompletableFuture<Boolean> connected = new CompletableFuture<>();
		given(this.connections.getConnection()).willAnswer((invocation) -> {
			connected.complete(true);
			return this.connection;
		});
		this.runner
			.withBean(SmartInitializingSingleton.class, () -> () -> connected.orTimeout(1, TimeUnit.MINUTES).join())
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theStoreDoesNotConnectBeforeACheckpoint() {
		SpringProperties.setProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME,
				DefaultLifecycleProcessor.ON_REFRESH_VALUE);
		try {
			IdempotencyStore store = mock();
			new StoreConnection(store, true, null).openSoon();
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.doesNotContain("idempotent-store-connect");
			verifyNoInteractions(store);
		}
		finally {
			SpringProperties.setProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME, null);
		}
	}

	@Test
	void theCheckRunsInTheBackgroundOnceTheApplicationIsReady() throws Exception {
		CompletableFuture<Thread> asked = new CompletableFuture<>();
		given(this.connections.getConnection()).willAnswer((invocation) -> {
			// The store connects at the start, on a thread of its own.
			if (!Thread.currentThread().getName().equals("idempotent-store-connect")) {
				asked.complete(Thread.currentThread());
			}
			return this.connection;
		});
		this.runner.run((context) -> {
			assertThat(asked).isNotDone();
			ready(context.getSourceApplicationContext());
			Thread thread = asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			assertThat(thread.getName()).isEqualTo("idempotent-redis-check");
			assertThat(thread.isDaemon()).isTrue();
			thread.join(PATIENCE.toMillis());
			assertThat(thread.isAlive()).isFalse();
		});
	}

	@Test
	void aRedisThatEvictsIsLogged(CapturedOutput output) {
		answers("allkeys-lru");
		this.runner.run((context) -> {
			context.getBean(StoreConnection.class).check();
			assertThat(output).contains("maxmemory-policy 'allkeys-lru'").contains("noeviction");
		});
	}

	@Test
	void aRedisThatDoesNotEvictIsNotLogged(CapturedOutput output) {
		answers("noeviction");
		this.runner.run((context) -> {
			context.getBean(StoreConnection.class).check();
			assertThat(output).doesNotContain("maxmemory-policy");
		});
	}

	@Test
	void aRedisThatDoesNotAnswerAtTheStartIsNotChecked() throws IOException {
		try (ServerSocket silent = new ServerSocket(0);
				ConfigurableApplicationContext context = StartUp.run(List.of(), "idempotent.store.type=redis",
						"spring.data.redis.port=" + silent.getLocalPort(), "spring.data.redis.timeout=500ms",
						"spring.data.redis.connect-timeout=500ms")) {
			assertThat(context.isRunning()).isTrue();
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.doesNotContain("idempotent-redis-check");
		}
	}

	private void answers(String policy) {
		Properties settings = new Properties();
		settings.setProperty("maxmemory-policy", policy);
		given(this.connections.getConnection()).willReturn(this.connection);
		given(this.connection.serverCommands().getConfig("maxmemory-policy")).willReturn(settings);
	}

	private static void ready(ConfigurableApplicationContext context) {
		context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0], context, null));
	}

}
