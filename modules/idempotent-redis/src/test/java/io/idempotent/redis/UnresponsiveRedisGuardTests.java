package io.idempotent.redis;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UnresponsiveRedisGuardTests {

	/** Of the client, and of the guard where a test waits until it has passed. */
	private static final Duration TIMEOUT = Duration.ofMillis(300);

	/** Made beforehand, since that takes longer than what is looked for. */
	private final IllegalStateException timeout = new IllegalStateException("no answer", new SocketTimeoutException());

	/** Two calls in a row count together even on a machine that stalls between them. */
	private UnresponsiveRedisGuard silence = new UnresponsiveRedisGuard(Duration.ofMinutes(1));

	private final CountDownLatch asked = new CountDownLatch(1);

	private final CountDownLatch answer = new CountDownLatch(1);

	@Test
	void concurrentSlowCallsCountOnce() throws Exception {
		CyclicBarrier together = new CyclicBarrier(3);
		CompletableFuture<?>[] slow = Stream.generate(() -> CompletableFuture.runAsync(() -> askInVain(together)))
			.limit(together.getParties())
			.toArray(CompletableFuture<?>[]::new);
		CompletableFuture.allOf(slow).get();
		assertEverybodyAsks();
	}

	@Test
	void aSlowCallDoesNotCountWhileOthersSucceed() throws Exception {
		for (int call = 0; call < 3; call++) {
			CompletableFuture<Void> slow = CompletableFuture.runAsync(this::askInVain);
			while (!slow.isDone()) {
				this.silence.call(() -> "answered");
				Thread.onSpinWait();
			}
			slow.get();
		}
		assertEverybodyAsks();
	}

	@Test
	void aSlowCallDoesNotCountAfterAPause() throws Exception {
		this.silence = new UnresponsiveRedisGuard(TIMEOUT.dividedBy(10));
		askInVain();
		TestRedis.sleep(TIMEOUT);
		askInVain();
		assertEverybodyAsks();
	}

	@Test
	void timeoutsAreForgottenAfterAPause() throws Exception {
		this.silence = new UnresponsiveRedisGuard(TIMEOUT.dividedBy(10));
		askInVain();
		askInVain();
		TestRedis.sleep(TIMEOUT.multipliedBy(2));
		assertEverybodyAsks();
	}

	@Test
	@Tag("slow")
	void aPauseDoesNotCountWhileACallIsOnItsWay() throws Exception {
		this.silence = new UnresponsiveRedisGuard(TIMEOUT);
		askInVain();
		askInVain();
		CompletableFuture<String> one = askSlowly();
		TestRedis.sleep(TIMEOUT.multipliedBy(11));
		assertNobodyElseAsks(one);
	}

	@Test
	void aConnectionThatIsResetIsNoReply() throws Exception {
		askInVain();
		askInVain();
		IllegalStateException reset = new IllegalStateException(new SocketException("Connection reset"));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.silence.call(() -> {
			throw reset;
		}));
		assertNobodyElseAsks(askSlowly());
	}

	@Test
	void afterTwoTimeoutsOneCallAtATimeIsAllowed() throws Exception {
		askInVain();
		askInVain();
		CompletableFuture<String> one = askSlowly();
		for (int other = 0; other < 3; other++) {
			assertThatExceptionOfType(CommandNotExecutedException.class)
				.isThrownBy(() -> this.silence.call(() -> "asked"))
				.withMessageContaining("left calls unanswered for 1m twice in a row");
		}
		this.answer.countDown();
		assertThat(one.get()).isEqualTo("answered");
	}

	@Test
	void aReplyAllowsAllCallsAgain() throws Exception {
		askInVain();
		askInVain();
		this.silence.call(() -> "answered");
		assertEverybodyAsks();
	}

	@Test
	void anErrorReplyAllowsAllCallsAgain() throws Exception {
		askInVain();
		askInVain();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.silence.call(UnresponsiveRedisGuardTests::error));
		assertEverybodyAsks();
	}

	@Test
	void aRetriedWriteStopsAfterOneTimeout() {
		askInVain();
		assertThatExceptionOfType(CommandNotExecutedException.class)
			.isThrownBy(() -> this.silence.callUnlessSuspected(() -> "asked"))
			.withMessageContaining("left a call unanswered for 1m");
		assertThat(this.silence.call(() -> "answered")).isEqualTo("answered");
		assertThat(this.silence.callUnlessSuspected(() -> "answered")).isEqualTo("answered");
	}

	/** Whatever its exception is. */
	@Test
	void aCallThatTakesTheWholeTimeoutCounts() {
		Duration whole = Duration.ofSeconds(2);
		this.silence = new UnresponsiveRedisGuard(whole);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.silence.call(() -> {
			TestRedis.sleep(whole);
			return error();
		}));
		assertThatExceptionOfType(CommandNotExecutedException.class)
			.isThrownBy(() -> this.silence.callUnlessSuspected(() -> "asked"));
	}

	@Test
	void aRetriedWriteIsAllowedAgainAfterAnotherTimeout() {
		this.silence = new UnresponsiveRedisGuard(TIMEOUT);
		askInVain();
		TestRedis.sleep(TIMEOUT);
		assertThat(this.silence.callUnlessSuspected(() -> "answered")).isEqualTo("answered");
	}

	@Test
	void anInterruptedCallDoesNotCountAsAReply() throws Exception {
		askInVain();
		askInVain();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.silence.call(() -> {
			Thread.currentThread().interrupt();
			return error();
		}));
		assertThat(Thread.interrupted()).isTrue();
		assertNobodyElseAsks(askSlowly());
	}

	@Test
	void aFailedProbeAllowsTheNextOne() {
		askInVain();
		askInVain();
		askInVain();
		assertThat(this.silence.call(() -> "answered")).isEqualTo("answered");
	}

	/**
	 * Whichever of both counts first, the next answer lets everybody ask.
	 */
	@Test
	@Tag("slow")
	void aReplyWinsOverAConcurrentTimeout() throws Exception {
		int rounds = 50_000;
		List<UnresponsiveRedisGuard> each = Stream.generate(this::suspicious).limit(rounds).toList();
		AtomicInteger inVain = new AtomicInteger(-1);
		AtomicInteger over = new AtomicInteger(-1);
		AtomicInteger begun = new AtomicInteger(-1);
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
			for (int round = 0; round < rounds; round++) {
				int now = round;
				spinUntil(begun, now);
				failsAtOnce(each.get(now), () -> inVain.set(now));
				over.set(now);
			}
		});
		for (int round = 0; round < rounds; round++) {
			int now = round;
			each.get(now).call(() -> {
				begun.set(now);
				spinUntil(inVain, now);
				spinFor(now % 300);
				return "answered";
			});
			spinUntil(over, now);
			each.get(now).call(() -> "answered");
			assertThat(each.get(now).<String>call(() -> each.get(now).call(() -> "both asked")))
				.isEqualTo("both asked");
		}
		other.get();
	}

	private UnresponsiveRedisGuard suspicious() {
		UnresponsiveRedisGuard silence = new UnresponsiveRedisGuard(Duration.ofHours(1));
		failsAtOnce(silence, () -> {
		});
		return silence;
	}

	private void failsAtOnce(UnresponsiveRedisGuard silence, Runnable before) {
		try {
			silence.call(() -> {
				before.run();
				throw this.timeout;
			});
		}
		catch (IllegalStateException ex) {
			assertThat(ex).isSameAs(this.timeout);
		}
	}

	private static void spinUntil(AtomicInteger counter, int value) {
		while (counter.get() < value) {
			Thread.onSpinWait();
		}
	}

	private static void spinFor(int steps) {
		for (int step = 0; step < steps; step++) {
			Thread.onSpinWait();
		}
	}

	private CompletableFuture<String> askSlowly() throws Exception {
		CompletableFuture<String> one = CompletableFuture.supplyAsync(() -> this.silence.call(this::slowly));
		assertThat(this.asked.await(1, TimeUnit.MINUTES)).isTrue();
		return one;
	}

	/** Beside a call that is on its way. */
	private void assertNobodyElseAsks(CompletableFuture<String> one) throws Exception {
		assertThatExceptionOfType(CommandNotExecutedException.class).isThrownBy(() -> this.silence.call(() -> "asked"));
		this.answer.countDown();
		assertThat(one.get()).isEqualTo("answered");
	}

	private void assertEverybodyAsks() throws Exception {
		CompletableFuture<String> slow = CompletableFuture.supplyAsync(() -> this.silence.call(this::slowly));
		assertThat(this.asked.await(1, TimeUnit.MINUTES)).isTrue();
		assertThat(this.silence.call(() -> "answered")).isEqualTo("answered");
		this.answer.countDown();
		assertThat(slow.get()).isEqualTo("answered");
	}

	private String slowly() {
		this.asked.countDown();
		return Unchecked.call(() -> {
			assertThat(this.answer.await(1, TimeUnit.MINUTES)).isTrue();
			return "answered";
		});
	}

	private void askInVain() {
		askInVain(new CyclicBarrier(1));
	}

	private void askInVain(CyclicBarrier asked) {
		Supplier<String> inVain = () -> {
			await(asked);
			TestRedis.sleep(TIMEOUT);
			throw this.timeout;
		};
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.silence.call(inVain));
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String error() {
		throw new UnsupportedOperationException("error");
	}

}
