package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.store.WakeUps;
import io.idempotent.testing.FaultyProxy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class RedisWakeUpsTests {

	@AutoClose
	private final TestRedis redis = TestRedis.start();

	private final Semaphore woken = new Semaphore(0);

	@Test
	void thereIsNoSubscriptionWithoutAWaiter() {
		StoreSubmission submission = StoreSubmission.to(this.redis.store());
		submission.complete(submission.granted(), Outcome.TOMBSTONE);
		assertThat(subscribedChannels()).isZero();
	}

	@Test
	void waitersShareOneSubscriptionButWakeForTheirKeyOnly() throws InterruptedException {
		StoreSubmission first = StoreSubmission.to(this.redis.store());
		StoreSubmission other = StoreSubmission.to(this.redis.store());
		ClaimId claim = first.granted();
		ClaimId otherClaim = other.granted();
		Semaphore otherWoken = new Semaphore(0);
		WakeUps.Subscription subscription = subscribe(first);
		this.redis.store().subscribe(other.key(), otherWoken::release);
		awaitSubscribed();
		assertThat(subscribedChannels()).isOne();
		other.again().listening().claim();
		other.complete(otherClaim, Outcome.TOMBSTONE);
		assertThat(otherWoken.tryAcquire(2, 5, TimeUnit.SECONDS) || otherWoken.tryAcquire()).isTrue();
		assertThat(this.woken.availablePermits()).isZero();
		subscription.close();
		first.again().listening().claim();
		first.complete(claim, Outcome.TOMBSTONE);
		assertThat(this.woken.tryAcquire(300, TimeUnit.MILLISECONDS)).isFalse();
	}

	@Test
	void wakeUpsComeAgainAfterARestart() {
		StoreSubmission first = StoreSubmission.to(this.redis.store());
		subscribe(first);
		awaitSubscribed();
		this.redis.server().restart();
		await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> subscribedChannels() == 1);
		// The server knows of it before this node does.
		awaitSubscribed();
		ClaimId claim = first.granted();
		first.again().listening().claim();
		first.release(claim, Release.NO_EFFECT);
		await().until(() -> this.woken.availablePermits() > 0);
	}

	@Test
	void aFailedSubscriptionIsRepeatedOnceRedisIsBack() {
		this.redis.server().stop();
		long start = System.nanoTime();
		subscribe(StoreSubmission.to(this.redis.store()));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TestStore.TIMEOUT);
		this.redis.server().restart();
		await().atMost(Duration.ofSeconds(30)).until(() -> this.woken.availablePermits() > 0);
	}

	@Test
	void theNextWaiterSubscribesIfNoThreadCouldBeStarted() {
		StoreSubmission submission = StoreSubmission.to(this.redis.store());
		ThreadLocal<Boolean> exhausted = new Exhausted();
		exhausted.set(true);
		this.redis.store().subscribe(submission.key(), this.woken::release);
		exhausted.remove();
		Semaphore otherWoken = new Semaphore(0);
		this.redis.store().subscribe(submission.key(), otherWoken::release);
		await().until(otherWoken::tryAcquire);
		await().until(this.woken::tryAcquire);
	}

	@Test
	void aSubscriptionThatLacksThreadsIsRepeated() {
		ThreadLocal<Boolean> exhausted = new Exhausted();
		AtomicBoolean first = new AtomicBoolean(true);
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", this.redis.server().port()) {

			@Override
			public RedisConnection getConnection() {
				exhausted.remove();
				if (first.getAndSet(false)) {
					exhausted.set(true);
					throw Exhausted.error();
				}
				return super.getConnection();
			}

		};
		connections.afterPropertiesSet();
		connections.start();
		try (RedisWakeUps wakeUps = new RedisWakeUps(connections, "channel")) {
			wakeUps.subscribe(StoreSubmission.to(this.redis.store()).key(), this.woken::release);
			await().atMost(Duration.ofSeconds(30)).until(this.woken::tryAcquire);
		}
		connections.destroy();
	}

	/** While it is set, the thread starts no other one. */
	private static final class Exhausted extends InheritableThreadLocal<Boolean> {

		@Override
		protected Boolean childValue(Boolean parent) {
			throw error();
		}

		private static OutOfMemoryError error() {
			return new OutOfMemoryError("unable to create native thread");
		}

	}

	@Test
	void aUserWithoutChannelsStillCompletes() {
		this.redis
			.ask((connection) -> connection.execute("ACL", bytes("SETUSER"), bytes("default"), bytes("resetchannels")));
		StoreSubmission first = StoreSubmission.to(this.redis.store());
		ClaimId claim = first.granted();
		subscribe(first);
		first.again().listening().claim();
		assertThat(first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
	}

	@Test
	void aStoreEndsWhileItsSubscriptionWaitsForAConnection() {
		try (FaultyProxy network = new FaultyProxy("127.0.0.1", this.redis.server().port())) {
			LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", network.port());
			connections.afterPropertiesSet();
			connections.start();
			connections.getConnection().close();
			RedisIdempotencyStore store = new RedisIdempotencyStore(connections, "idem:", Duration.ofSeconds(2));
			network.freeze();
			store.subscribe(StoreSubmission.to(store).key(), this.woken::release);
			await().until(RedisWakeUpsTests::isConnecting);
			CompletableFuture<Void> end = new CompletableFuture<>();
			new Thread(() -> {
				store.close();
				end.complete(null);
			}).start();
			assertThat(end).succeedsWithin(Duration.ofSeconds(20));
			connections.destroy();
		}
	}

	private static boolean isConnecting() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().getName().startsWith("idempotent-wake-up"))
			.flatMap((entry) -> Stream.of(entry.getValue()))
			.anyMatch((frame) -> frame.getMethodName().equals("connectPubSub"));
	}

	private WakeUps.Subscription subscribe(StoreSubmission submission) {
		return this.redis.store().subscribe(submission.key(), this.woken::release);
	}

	/**
	 * The store wakes everybody once when the subscription stands, since something may
	 * have been missed.
	 */
	private void awaitSubscribed() {
		await().until(() -> this.woken.tryAcquire());
	}

	private int subscribedChannels() {
		return this.redis.ask((connection) -> Integer
			.parseInt(connection.serverCommands().info("stats").getProperty("pubsub_channels")));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
