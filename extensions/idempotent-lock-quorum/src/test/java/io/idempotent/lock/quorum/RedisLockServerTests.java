package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.quorum.LockServer.Holder;
import io.idempotent.lock.quorum.LockServer.TakeReply;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * What one server accepts from whom.
 */
class RedisLockServerTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static EmbeddedRedis redis;

	private static LockServer server;

	@BeforeAll
	static void start() throws Exception {
		redis = EmbeddedRedis.start();
		server = new RedisLockServer(connection(redis.port()));
		server.connect().get(20, TimeUnit.SECONDS);
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@BeforeEach
	void flush() {
		RedisTalk.tell(redis, "FLUSHALL");
	}

	@Test
	void theCounterIsReadWithTheLock() {
		assertThat(take("one").counter()).isZero();
		assertThat(server.raise("a", "one", 7).join()).isTrue();
		assertThat(take("two").owner()).isEqualTo("one");
		assertThat(release("one")).isTrue();
		assertThat(take("two").counter()).isEqualTo(7);
	}

	@Test
	void theTimeIsInMicroseconds() {
		assertThat(take("one").clock() * 16 / 1_000_000).isCloseTo(System.currentTimeMillis() / 1000, within(60L));
	}

	@Test
	void theCounterIsRaisedByTheHolderAlone() {
		take("one");
		assertThat(server.raise("a", "two", 7).join()).isFalse();
		release("one");
		assertThat(server.raise("a", "one", 7).join()).isFalse();
		assertThat(take("two").counter()).isZero();
	}

	@Test
	void theCounterIsNeverRepeatedOrLowered() {
		take("one");
		assertThat(server.raise("a", "one", 7).join()).isTrue();
		assertThat(server.raise("a", "one", 7).join()).isFalse();
		assertThat(server.raise("a", "one", 6).join()).isFalse();
		release("one");
		assertThat(take("two").counter()).isEqualTo(7);
	}

	@Test
	void theCounterStaysForADay() {
		take("one");
		server.raise("a", "one", 7).join();
		assertThat(RedisTalk.ask(redis, "TTL a:quorum-token").trim()).isIn(":86400", ":86399", ":86398");
	}

	@Test
	void aRenewalReportsTheOwner() {
		assertThat(server.renew("a", "one", LEASE).join()).isEqualTo(Holder.NONE);
		take("one");
		assertThat(server.renew("a", "one", LEASE).join()).isEqualTo(Holder.THIS);
		assertThat(server.renew("a", "two", LEASE).join()).isEqualTo(Holder.OTHER);
	}

	/** As the log of commands shows: what is left of a lease depends on the time. */
	@Test
	void aLeaseIsRoundedUp() {
		take("one");
		RedisTalk.tell(redis, "CONFIG SET slowlog-log-slower-than 0");
		server.renew("a", "one", LEASE.plusNanos(1)).join();
		RedisTalk.tell(redis, "CONFIG SET slowlog-log-slower-than -1");
		assertThat(RedisTalk.ask(redis, "SLOWLOG GET 10")).contains("20001").doesNotContain("20000");
	}

	@Test
	void aHolderJoinsWhereTheLockIsFreeAndBringsItsToken() {
		take("one");
		assertThat(server.join("a", "two", LEASE, 7).join()).isFalse();
		release("one");
		assertThat(server.join("a", "two", LEASE, 7).join()).isTrue();
		release("two");
		assertThat(server.join("a", "three", LEASE, 6).join()).isTrue();
		release("three");
		assertThat(take("four").counter()).isEqualTo(7);
	}

	@Test
	void anotherOwnerReleasesNothing() {
		take("one");
		assertThat(release("two")).isFalse();
		assertThat(take("two").granted()).isFalse();
	}

	@Test
	void aConnectionIsNotShutDownWhileItConnects() {
		try (FaultyProxy network = new FaultyProxy("127.0.0.1", redis.port())) {
			ServerConnection connection = connection(network.port());
			network.freezeReplies();
			long clients = clients();
			CompletableFuture<?> attempt = connection.connect();
			await().until(() -> clients() > clients);
			connection.close();
			network.thawReplies();
			assertThat(attempt).succeedsWithin(Duration.ofSeconds(20));
		}
	}

	@Test
	void aServerIsConnectedToWhenThreadsCanBeStartedAgain() {
		AtomicBoolean exhausted = new AtomicBoolean(true);
		InheritableThreadLocal<String> limit = new InheritableThreadLocal<>() {
			@Override
			protected String childValue(String value) {
				if (exhausted.getAndSet(false)) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				return value;
			}
		};
		limit.set("inherited");
		try (ServerConnection connection = connection(redis.port())) {
			assertThat(connection.connect()).isCompletedExceptionally();
			await().until(() -> connection.connect().handle((done, failure) -> failure == null).getNow(false));
		}
		finally {
			limit.remove();
		}
	}

	private static long clients() {
		return RedisTalk.ask(redis, "CLIENT LIST TYPE normal").lines().filter((line) -> line.contains("addr=")).count();
	}

	private static ServerConnection connection(int port) {
		return new ServerConnection(ServerAddress.parse("redis://127.0.0.1:" + port), Duration.ofSeconds(5),
				Duration.ofSeconds(5));
	}

	private static TakeReply take(String owner) {
		return server.take("a", owner, LEASE).join();
	}

	private static boolean release(String owner) {
		return server.release("a", owner, Duration.ZERO, true).join();
	}

}
