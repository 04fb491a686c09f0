package io.idempotent.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SilenceTests {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private final Silence silence = new Silence(TIMEOUT);

	private final CountDownLatch asked = new CountDownLatch(1);

	private final CountDownLatch answer = new CountDownLatch(1);

	@Test
	void oneSlowCallLetsEverybodyAsk() throws Exception {
		askInVain();
		assertEverybodyAsks();
	}

	@Test
	void callsThatWereSlowTogetherAreOneSign() throws Exception {
		CompletableFuture<Void> slow = CompletableFuture.allOf(CompletableFuture.runAsync(this::askInVain),
				CompletableFuture.runAsync(this::askInVain), CompletableFuture.runAsync(this::askInVain));
		slow.get();
		assertEverybodyAsks();
	}

	@Test
	void aSlowCallWhileOthersAreAnsweredIsNoSign() throws Exception {
		for (int call = 0; call < 3; call++) {
			CompletableFuture<Void> slow = CompletableFuture.runAsync(this::askInVain);
			while (!slow.isDone()) {
				this.silence.ask(() -> "answered");
				Thread.onSpinWait();
			}
			slow.get();
		}
		assertEverybodyAsks();
	}

	@Test
	void afterTwoCallsInVainOneAtATimeAsks() throws Exception {
		askInVain();
		askInVain();
		CompletableFuture<String> one = CompletableFuture.supplyAsync(() -> this.silence.ask(this::slowly));
		assertThat(this.asked.await(10, TimeUnit.SECONDS)).isTrue();
		for (int other = 0; other < 3; other++) {
			assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> this.silence.ask(() -> "asked"))
				.withMessageContaining("left calls unanswered for PT0.3S twice in a row");
		}
		this.answer.countDown();
		assertThat(one.get()).isEqualTo("answered");
	}

	@Test
	void anAnswerEndsIt() throws Exception {
		askInVain();
		askInVain();
		this.silence.ask(() -> "answered");
		assertEverybodyAsks();
	}

	@Test
	void anErrorIsAnAnswer() throws Exception {
		askInVain();
		askInVain();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.silence.ask(SilenceTests::error));
		assertEverybodyAsks();
	}

	@Test
	void anErrorAloneBeginsNone() throws Exception {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.silence.ask(SilenceTests::error));
		assertEverybodyAsks();
	}

	@Test
	void anotherCallInVainLetsTheNextOneAsk() {
		askInVain();
		askInVain();
		askInVain();
		assertThat(this.silence.ask(() -> "answered")).isEqualTo("answered");
	}

	private void assertEverybodyAsks() throws Exception {
		CompletableFuture<String> slow = CompletableFuture.supplyAsync(() -> this.silence.ask(this::slowly));
		assertThat(this.asked.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.silence.ask(() -> "answered")).isEqualTo("answered");
		this.answer.countDown();
		assertThat(slow.get()).isEqualTo("answered");
	}

	private String slowly() {
		this.asked.countDown();
		try {
			assertThat(this.answer.await(10, TimeUnit.SECONDS)).isTrue();
			return "answered";
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void askInVain() {
		Supplier<String> inVain = () -> {
			TestRedis.sleep(TIMEOUT);
			return error();
		};
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.silence.ask(inVain));
	}

	private static String error() {
		throw new UnsupportedOperationException("error");
	}

}
