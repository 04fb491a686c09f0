package io.idempotent.redis;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.testing.RedisTalk;
import io.idempotent.testing.Unchecked;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A Redis that neither answers nor breaks its connections, seen by a client that would
 * wait a minute for it.
 */
@Tag("slow")
class RedisHangTests {

	private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(60);

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	/** Tells the store's time-out from the client's. */
	private static final Duration SOON = Duration.ofSeconds(10);

	private static final int CALLERS = 50;

	private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);

	private final EmbeddedRedis redis = EmbeddedRedis.start();

	private final FaultyProxy network = new FaultyProxy(this.redis.host(), this.redis.port());

	private final TestStore store = client(CLIENT_TIMEOUT);

	private long process;

	private TestStore client(Duration clientTimeout) {
		return new TestStore(new RedisStandaloneConfiguration("127.0.0.1", this.network.port()), clientTimeout,
				TIMEOUT);
	}

	@AfterEach
	void stop() {
		this.callers.shutdownNow();
		this.network.thaw();
		this.store.close();
		this.network.close();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void everyCallEndsWithTheTimeoutOfTheStore(Hang hang) throws Exception {
		awaitAnswer();
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		hang.begin(this);
		assertRefused("issue", () -> submission().issued(RETENTION));
		assertRefused("claim", () -> submission().claim());
		assertRefused("renewal", () -> this.store.store().renew(claim, LEASE));
		assertRefused("completion", () -> first.complete(claim, Outcome.TOMBSTONE));
		assertRefused("release", () -> first.release(claim, Release.NO_EFFECT));
		hang.end(this);
		awaitAnswer();
	}

	@ParameterizedTest
	@EnumSource
	void callsWaitingForAConnectionAlsoTimeOut(Hang hang) throws Exception {
		hang.begin(this);
		long start = System.nanoTime();
		List<CompletableFuture<Throwable>> outcomes = claimTogether();
		await().atMost(SOON).until(() -> connectingThreads() == 1);
		assertThat(outcomes).allSatisfy((outcome) -> assertThat(outcome.join()).hasMessageContaining("no connection"));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
		hang.end(this);
		awaitAnswer();
		assertThat(connectingThreads()).isZero();
	}

	@Test
	void aShorterTimeoutOfTheClientWins() throws Exception {
		try (TestStore impatient = client(Duration.ofMillis(500))) {
			awaitAnswer(impatient);
			this.network.freeze();
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> StoreSubmission.to(impatient.store()).claim())
				.withMessageContaining("no reply within 500ms");
			this.network.thaw();
		}
	}

	@Test
	void afterTheFirstTimeoutsOnlyOneCallProbesAHangingRedis() {
		awaitAnswer();
		this.network.freezeReplies();
		assertRefused("claim", () -> submission().claim());
		try (RedisMonitor monitor = RedisMonitor.of(this.redis)) {
			assertThat(claimTogether())
				.allSatisfy((outcome) -> assertThat(outcome.join()).hasMessageContaining("claim"));
			assertThat(monitor.commands()).containsEntry("set", CALLERS);
			List<CompletableFuture<Throwable>> later = claimTogether();
			assertThat(later).filteredOn((outcome) -> outcome.join().getMessage().contains("one call at a time"))
				.hasSizeGreaterThan(CALLERS / 2);
			assertThat(monitor.commands().get("set")).isLessThan(CALLERS / 2);
		}
	}

	@Test
	void timedOutCallsAreNotSentToARestartedRedis() throws Exception {
		awaitAnswer();
		Hang.STOPPED.begin(this);
		claimTogether().forEach(CompletableFuture::join);
		this.redis.restart();
		this.network.breakConnections();
		awaitAnswer();
		assertThat(claimsThatRan()).isLessThan(CALLERS / 2);
	}

	@Test
	void aRestartedConnectionFactoryIsUsed() {
		awaitAnswer();
		this.store.connections().stop();
		assertRefused("claim", () -> submission().claim());
		assertRefused("STOPPED", () -> submission().claim());
		this.store.connections().start();
		awaitAnswer();
	}

	@Test
	void onlyAnInterruptedCallGivesUpAtOnce() throws Exception {
		awaitAnswer();
		this.network.freezeReplies();
		AtomicReference<Boolean> flag = new AtomicReference<>();
		Thread waiting = new Thread(() -> {
			assertRefused("claim", () -> submission().claim());
			flag.set(Thread.currentThread().isInterrupted());
		});
		try (RedisMonitor monitor = RedisMonitor.of(this.redis)) {
			waiting.start();
			await().until(() -> monitor.commands().containsKey("set"));
		}
		waiting.interrupt();
		waiting.join();
		assertThat(flag).hasValue(true);
		this.network.thawReplies();
		submission().granted();
	}

	private void awaitAnswer() {
		awaitAnswer(this.store);
	}

	private static void awaitAnswer(TestStore store) {
		await().atMost(Duration.ofSeconds(30))
			.ignoreExceptions()
			.until(() -> StoreSubmission.to(store.store()).claim() instanceof ClaimResult.Granted);
	}

	private StoreSubmission submission() {
		return StoreSubmission.to(this.store.store());
	}

	/**
	 * Lets all callers claim at once.
	 * @return how each of them failed
	 */
	private List<CompletableFuture<Throwable>> claimTogether() {
		CountDownLatch ready = new CountDownLatch(CALLERS);
		return IntStream.range(0, CALLERS).mapToObj((caller) -> CompletableFuture.supplyAsync(() -> {
			ready.countDown();
			Unchecked.run(() -> ready.await());
			return assertRefused("claim", () -> submission().claim());
		}, this.callers).orTimeout(30, TimeUnit.SECONDS)).toList();
	}

	private static Throwable assertRefused(String said, ThrowingCallable call) {
		AtomicReference<Throwable> refused = new AtomicReference<>();
		long start = System.nanoTime();
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(call)
			.withMessageContaining(said)
			.satisfies(refused::set);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
		return refused.get();
	}

	private static long connectingThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("idempotent-redis-connect"))
			.count();
	}

	private int claimsThatRan() {
		Properties stats = this.store.ask((connection) -> connection.serverCommands().info("commandstats"));
		String sets = stats.getProperty("cmdstat_set", "calls=0,");
		return Integer.parseInt(sets.substring("calls=".length(), sets.indexOf(',')));
	}

	private void signal(String signal) throws Exception {
		assertThat(new ProcessBuilder("kill", signal, Long.toString(this.process)).start().waitFor()).isZero();
	}

	/**
	 * How Redis, or the way to it, hangs.
	 */
	enum Hang {

		/** Every command waits, and so do the greetings of new connections. */
		PAUSED {

			@Override
			void begin(RedisHangTests test) {
				RedisTalk.tell(test.redis, "CLIENT PAUSE 10000 ALL");
			}

			/** It ends by itself; nobody could tell it to. */
			@Override
			void end(RedisHangTests test) {
			}

		},

		/** The process stands still; the kernel still accepts connections for it. */
		STOPPED {

			@Override
			void begin(RedisHangTests test) throws Exception {
				test.process = RedisTalk.number(test.redis, "server", "process_id").orElseThrow();
				test.signal("-STOP");
			}

			@Override
			void end(RedisHangTests test) throws Exception {
				test.signal("-CONT");
			}

		},

		/** The network swallows everything. */
		FROZEN {

			@Override
			void begin(RedisHangTests test) {
				test.network.freeze();
			}

			@Override
			void end(RedisHangTests test) {
				test.network.thaw();
			}

		};

		abstract void begin(RedisHangTests test) throws Exception;

		abstract void end(RedisHangTests test) throws Exception;

	}

}
