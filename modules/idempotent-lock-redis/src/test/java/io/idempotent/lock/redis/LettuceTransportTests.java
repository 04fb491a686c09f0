package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisTalk;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

/**
 * What Lettuce sends, and what it does not, over a network that fails.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class LettuceTransportTests {

	/** Not known to the server at first. */
	private static final String WRITE = "return redis.call('incr', KEYS[1])";

	private static final String READ = "return tonumber(redis.call('get', KEYS[1]) or 0)";

	@AutoClose
	private final EmbeddedRedis server = EmbeddedRedis.start();

	@AutoClose
	private final FaultyProxy network = new FaultyProxy(this.server.host(), this.server.port());

	/** Lettuce itself waits longer for a reply than locks do, as by default. */
	private final TestRedisson clients = TestRedisson.at("127.0.0.1", this.network.port(),
			(config) -> config.useSingleServer().setTimeout(60_000));

	private final LettuceConnectionFactory factory = this.clients.factory();

	private final LettuceTransport transport = new LettuceTransport(this.factory);

	private final String lock = "transport:" + System.nanoTime();

	@AfterEach
	void close() {
		this.network.thaw();
		this.transport.close();
		this.clients.close();
	}

	private CompletableFuture<Long> run(LettuceTransport transport, String script, Object... arguments) {
		return transport.number(this.lock, script, List.of(this.lock), arguments);
	}

	@ParameterizedTest
	@ValueSource(strings = { "EVALSHA", "SCRIPT" })
	void aScriptIsNotSentAgainAfterItsReplyTimedOut(String unanswered) {
		AtomicBoolean armed = new AtomicBoolean();
		this.factory.getRequiredNativeClient().addListener(new CommandListener() {
			@Override
			public void commandStarted(CommandStartedEvent event) {
				if (event.getCommand().getType().toString().equals(unanswered) && armed.getAndSet(false)) {
					LettuceTransportTests.this.network.freezeReplies();
				}
			}
		});
		connect(this.transport);
		armed.set(true);
		assertThat(run(this.transport, WRITE)).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withCauseInstanceOf(TimeoutException.class);
		this.network.thaw();
		assertThatWritesAre(0);
	}

	@Test
	void aScriptThatHasWaitedForAConnectionIsNotSentAfterItsReplyTimedOut() {
		connect(this.transport);
		assertThat(run(this.transport, WRITE)).succeedsWithin(Duration.ofSeconds(20));
		this.network.partition();
		assertThat(run(this.transport, WRITE)).failsWithin(Duration.ofSeconds(20));
		this.network.heal();
		assertThatWritesAre(1);
	}

	/** By a later script of the same connection. */
	private void assertThatWritesAre(long count) {
		connect(this.transport);
		assertThat(run(this.transport, READ)).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(count);
	}

	/** On a busy machine this may take more than one attempt. */
	private void connect(LettuceTransport transport) {
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> run(transport, READ).join() >= 0);
	}

	@Test
	void whatCannotBeSentFailsAtOnce() {
		connect(this.transport);
		assertThat(run(this.transport, READ, (Object) null)).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withCauseInstanceOf(NullPointerException.class);
	}

	@Test
	void aScriptThatCannotBeLoadedFailsAtOnce() {
		LettuceTransport stranger = asUser("+@all -script");
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(run(stranger, READ)).failsWithin(Duration.ofSeconds(20))
				.withThrowableThat()
				.withCauseInstanceOf(RedisCommandExecutionException.class)
				.withMessageContaining("NOPERM"));
		stranger.close();
	}

	@Test
	void aConnectionThatMayNotSubscribeIsClosed() {
		LettuceTransport stranger = asUser("+@all -subscribe");
		for (int i = 0; i < 3; i++) {
			ReleaseSubscription subscription = subscribe(stranger);
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> begin(subscription));
		}
		await().untilAsserted(() -> assertThat(RedisTalk.ask(this.server, "CLIENT LIST").lines())
			.filteredOn((line) -> line.contains("user=stranger"))
			.as("the one that the application shares")
			.hasSize(1));
		stranger.close();
	}

	private LettuceTransport asUser(String rules) {
		RedisTalk.tell(this.server, "ACL SETUSER stranger reset on nopass ~* &* " + rules);
		TestRedisson strangers = TestRedisson.at("127.0.0.1", this.network.port(),
				(config) -> config.setUsername("stranger").setPassword("any"));
		return new LettuceTransport(strangers.factory());
	}

	@Test
	void aSubscriptionIsInactiveWhileItsConnectionIsBroken() throws Exception {
		connect(this.transport);
		try (ReleaseSubscription subscription = subscribe(this.transport)) {
			begin(subscription);
			assertThat(subscription.isActive()).isTrue();
			this.network.partition();
			await().until(() -> !subscription.isActive());
			this.network.heal();
			await().atMost(Duration.ofSeconds(30)).until(subscription::isActive);
		}
	}

	private ReleaseSubscription subscribe(LettuceTransport transport) {
		return new ReleaseSubscription(new LockClient("redis", transport, ""), new LockKeys(this.lock).channel());
	}

	private static void begin(ReleaseSubscription subscription) {
		InterruptibleWait.uninterruptibly((waiting) -> subscription.begin(Duration.ofSeconds(20).toNanos(), waiting));
	}

	@Test
	void aReplyThatTimesOutMakesAClusterReadItsTopology() {
		RedisClusterClient cluster = mock();
		LettuceConnectionFactory partOfACluster = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.network.port()),
				LettuceClientConfiguration.builder().commandTimeout(Duration.ofSeconds(1)).build()) {
			@Override
			public AbstractRedisClient getNativeClient() {
				return cluster;
			}
		};
		partOfACluster.afterPropertiesSet();
		LettuceTransport other = new LettuceTransport(partOfACluster);
		connect(other);
		this.network.freezeReplies();
		assertThat(run(other, READ)).failsWithin(Duration.ofSeconds(20));
		verify(cluster, timeout(10_000)).refreshPartitionsAsync();
		this.network.thaw();
		partOfACluster.destroy();
	}

	/** Spring Data Redis replaces it when it is asked for a connection. */
	@Test
	void aConnectionThatLettuceDoesNotRepairIsReplaced() {
		LettuceConnectionFactory unrepaired = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.network.port()),
				LettuceClientConfiguration.builder()
					.clientOptions(ClientOptions.builder().autoReconnect(false).build())
					.build());
		unrepaired.setValidateConnection(true);
		unrepaired.afterPropertiesSet();
		LettuceTransport other = new LettuceTransport(unrepaired);
		connect(other);
		this.network.breakConnections();
		connect(other);
		unrepaired.destroy();
	}

	@Test
	void aScriptIsSentWhateverTheFlushPolicyOfPipelines() {
		LettuceConnectionFactory master = TestLettuce.masterAndReplicas(this.server.port());
		master.setPipeliningFlushPolicy(LettuceConnection.PipeliningFlushPolicy.flushOnClose());
		connect(new LettuceTransport(master));
		master.destroy();
	}

	@Test
	void aSubscriptionIsInactiveAfterItsFactoryHasStopped() throws Exception {
		connect(this.transport);
		try (ReleaseSubscription subscription = subscribe(this.transport)) {
			begin(subscription);
			this.factory.stop();
			await().until(() -> !subscription.isActive());
		}
	}

	@Test
	void closesAfterItsFactoryHasStopped() {
		connect(this.transport);
		this.factory.stop();
		assertThatNoException().isThrownBy(this.transport::close);
	}

}
