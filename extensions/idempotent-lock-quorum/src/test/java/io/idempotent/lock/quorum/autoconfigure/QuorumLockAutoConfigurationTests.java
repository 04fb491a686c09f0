package io.idempotent.lock.quorum.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.quorum.QuorumLockEngine;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

class QuorumLockAutoConfigurationTests {

	private static List<EmbeddedRedis> servers;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, QuorumLockAutoConfiguration.class,
				LockAutoConfiguration.class))
		.withPropertyValues("idempotent.lock.engines=quorum");

	@BeforeAll
	static void start() {
		servers = Stream.generate(() -> EmbeddedRedis.start("--requirepass", "pass:word")).limit(3).toList();
	}

	@AfterAll
	static void stopServers() {
		servers.forEach(EmbeddedRedis::close);
	}

	@Test
	void urlsMayBeAListOfProperties() {
		this.runner.withPropertyValues(url(0), url(1), url(2))
			.run((context) -> assertLocks(context.getBean(DistributedLocks.class)));
	}

	private static String url(int index) {
		return "idempotent.lock.quorum.servers[" + index + "]=redis://:pass%3Aword@127.0.0.1:"
				+ servers.get(index).port() + "/1";
	}

	@Test
	void aServerThatIsDownPreventsNeitherStartNorLocks() {
		EmbeddedRedis down = servers.get(1);
		down.stop();
		try {
			this.runner.withPropertyValues(urls("default:pass%3Aword@"))
				.run((context) -> assertLocks(context.getBean(DistributedLocks.class)));
		}
		finally {
			down.restart();
		}
	}

	@Test
	void aWrongPasswordIsReportedWithoutIt() {
		this.runner.withPropertyValues(urls("default:not-the-secret@"))
			.run((context) -> assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> context.getBean(DistributedLocks.class).get("a").tryLock())
				.withMessageContaining("WRONGPASS")
				.withMessageContaining("idempotent.lock.quorum.servers")
				.withMessageContaining("127.0.0.1:" + servers.get(0).port())
				.withMessageNotContaining("not-the-secret"));
	}

	@Test
	void clientsAreClosedWithTheApplication() {
		this.runner.withPropertyValues(urls("default:pass%3Aword@"))
			.run((context) -> assertLocks(context.getBean(DistributedLocks.class)));
		// That of the client that asks.
		await().untilAsserted(() -> assertThat(RedisTalk.ask(servers.get(0), "AUTH pass:word\r\nCLIENT LIST"))
			.containsOnlyOnce("id="));
	}

	@Test
	void anEngineOfTheApplicationsOwnComesFirst() {
		LockEngine own = Mockito.mock();
		Mockito.when(own.name()).thenReturn("quorum");
		this.runner.withBean("io.idempotent.quorumLockEngine", LockEngine.class, () -> own)
			.withPropertyValues(urls(""))
			.run((context) -> assertThat(context).getBean(LockEngine.class).isSameAs(own));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			servers=                                         | at least three, not 0
			servers=redis://a,redis://b                      | not 2
			servers=redis://a,redis://b,redis://c,redis://d  | not 4: one more than an odd number tolerates no more
			servers=redis://a,redis://b,redis://a:6379/1     | named twice among [a:6379, b:6379, a:6379/1]
			servers=redis://a,redis://b,http://secret@c      | not of the form redis://
			servers=redis://a,redis://b,redis://x:secret@c/d | not of the form redis://
			timeout=500us                                    | at least a millisecond
			""")
	void whatCannotWorkFailsTheStart(String property, String why) {
		this.runner.withPropertyValues(urls(""))
			.withPropertyValues("idempotent.lock.quorum." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("idempotent.lock.quorum." + property.substring(0, property.indexOf('=')))
				.hasMessageContaining(why)
				.hasMessageNotContaining("secret"));
	}

	@Test
	void anEngineNeedsATimeoutThatRedissonCanWaitFor() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new QuorumLockEngine(List.of("redis://a", "redis://b", "redis://c"),
					Duration.ofNanos(500_000), ""))
			.withMessageContaining("at least a millisecond");
	}

	private static void assertLocks(DistributedLocks locks) throws InterruptedException {
		assertThat(locks.engineInForce()).isEqualTo("quorum");
		DistributedLock lock = locks.get("a");
		assertThat(take(lock, 3)).isTrue();
		assertThat(lock.fencingToken()).isPositive();
		lock.unlock();
	}

	/**
	 * On a busy machine a client may take longer to connect than a lock waits for it.
	 * With a server down, a second slow one is enough for an attempt to fail.
	 */
	private static boolean take(DistributedLock lock, int refusals) throws InterruptedException {
		try {
			return lock.tryLock(30, TimeUnit.SECONDS);
		}
		catch (LockUnavailableException ex) {
			if (refusals == 0) {
				throw ex;
			}
			// A server is connected to again after a second.
			Thread.sleep(1000);
			return take(lock, refusals - 1);
		}
	}

	private static String urls(String credentials) {
		return "idempotent.lock.quorum.servers=" + servers.stream()
			.map((server) -> "redis://" + credentials + "127.0.0.1:" + server.port())
			.collect(Collectors.joining(","));
	}

}
