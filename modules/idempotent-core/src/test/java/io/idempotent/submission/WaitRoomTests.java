package io.idempotent.submission;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.Unknown;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.store.WakeUps;
import io.idempotent.submission.claim.Claims.Answer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class WaitRoomTests {

	private static final OperationKey KEY = OperationKey.of("test", "operation", List.of(), "1");

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final ClaimRequest REQUEST = new ClaimRequest(KEY, new Owner(1, 2), Fingerprint.of(KEY), LONG,
			LONG.multipliedBy(2), Admission.OPEN, Lapsed.LEAVE, Term.LEASED, true);

	private static final Answer RUNNING = answer(new InProgress(LONG));

	private static final Answer ENDED = answer(new Unknown());

	private final AtomicInteger looks = new AtomicInteger();

	private final AtomicReference<Runnable> wake = new AtomicReference<>();

	private final AtomicInteger subscribed = new AtomicInteger();

	private final WakeUps wakeUps = (key, runnable) -> {
		assertThat(key).isEqualTo(KEY);
		this.wake.set(runnable);
		this.subscribed.incrementAndGet();
		return this.subscribed::decrementAndGet;
	};

	private static Answer answer(ClaimResult result) {
		return new Answer(REQUEST, 0, result);
	}

	private Supplier<Answer> meeting(Answer... results) {
		Deque<Answer> left = new ArrayDeque<>(List.of(results));
		return () -> {
			this.looks.incrementAndGet();
			return (left.size() > 1) ? left.poll() : left.peek();
		};
	}

	@Test
	void anEndedOperationIsFoundAtTheFirstPoll() {
		assertThat(new WaitRoom(1, this.wakeUps).await(KEY, LONG, LONG, meeting(ENDED))).isEqualTo(ENDED);
		assertThat(this.looks).hasValue(1);
		assertThat(this.subscribed).hasValue(0);
	}

	@Test
	void withoutNotificationsAWaiterPollsSeveralTimesASecond() {
		long start = System.nanoTime();
		Answer[] results = new Answer[] { RUNNING, RUNNING, RUNNING, RUNNING, RUNNING, ENDED };
		assertThat(new WaitRoom(1, null).await(KEY, LONG, LONG, meeting(results))).isEqualTo(ENDED);
		assertThat(this.looks).hasValue(6);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(450),
				Duration.ofMillis(4_500));
	}

	@Test
	void aWakeUpCutsTheWaitShort() {
		long start = System.nanoTime();
		int wakes = 8;
		WaitRoom room = new WaitRoom(1, this.wakeUps);
		CompletableFuture<Answer> met = CompletableFuture.supplyAsync(() -> room.await(KEY, LONG, LONG, () -> {
			return (this.looks.incrementAndGet() <= wakes) ? RUNNING : ENDED;
		}));
		for (int i = 1; i <= wakes; i++) {
			int seen = i;
			await().pollInterval(Duration.ofMillis(1)).until(() -> this.looks.get() >= seen);
			this.wake.get().run();
		}
		assertThat(met).succeedsWithin(LONG).isEqualTo(ENDED);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).as("looking at intervals would take 8 s")
			.isLessThan(Duration.ofSeconds(6));
	}

	@Test
	void aLostWakeUpOnlyDelaysAWaiter() {
		assertThat(new WaitRoom(1, this.wakeUps).await(KEY, LONG, LONG, meeting(RUNNING, ENDED))).isEqualTo(ENDED);
		assertThat(this.looks).hasValue(2);
	}

	@Test
	void aWakeUpBeforeAPollDoesNotCauseAnother() {
		WaitRoom room = new WaitRoom(1, this.wakeUps);
		Answer met = room.await(KEY, Duration.ofMillis(50), LONG, () -> {
			if (this.looks.incrementAndGet() == 1) {
				this.wake.get().run();
			}
			return RUNNING;
		});
		assertThat(met).isEqualTo(RUNNING);
		assertThat(this.looks.get()).isGreaterThanOrEqualTo(2);
	}

	@Test
	void theLastPollIsAtTheTimeout() {
		assertThat(new WaitRoom(1, null).await(KEY, Duration.ofMillis(1), LONG, meeting(RUNNING, RUNNING, ENDED)))
			.isIn(RUNNING, ENDED);
		assertThat(new WaitRoom(1, null).await(KEY, Duration.ofNanos(1), LONG, meeting(RUNNING))).isEqualTo(RUNNING);
		assertThat(new WaitRoom(1, null).await(KEY, Duration.ofNanos(1), LONG, meeting(ENDED))).isEqualTo(ENDED);
	}

	@Test
	void aLeaseAboutToExpireIsPolledSoonButNotInALoop() {
		long start = System.nanoTime();
		WaitRoom room = new WaitRoom(1, this.wakeUps);
		Answer lapsing = answer(new InProgress(Duration.ZERO));
		assertThat(room.await(KEY, LONG, LONG, meeting(lapsing, lapsing, lapsing, lapsing, lapsing, ENDED)))
			.isEqualTo(ENDED);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(5), Duration.ofSeconds(4));
	}

	@Test
	void withoutASeatThereIsNoPollOrSubscription() {
		assertThat(new WaitRoom(0, this.wakeUps).await(KEY, LONG, LONG, meeting(ENDED))).isNull();
		assertThat(this.looks).hasValue(0);
		assertThat(this.wake).hasValue(null);
	}

	@Test
	void aFailingPollReleasesSeatAndSubscription() {
		WaitRoom room = new WaitRoom(1, this.wakeUps);
		assertThatIllegalStateException().isThrownBy(() -> room.await(KEY, LONG, LONG, () -> {
			throw new IllegalStateException("The store is closed");
		}));
		assertThat(this.subscribed).hasValue(0);
		assertThat(room.await(KEY, LONG, LONG, meeting(ENDED))).isEqualTo(ENDED);
	}

	@Test
	void aFailingSubscriptionReleasesTheSeat() {
		AtomicInteger failures = new AtomicInteger();
		WaitRoom room = new WaitRoom(1, (key, runnable) -> {
			if (failures.incrementAndGet() == 1) {
				throw new IllegalStateException("The store is closed");
			}
			return () -> {
			};
		});
		assertThatIllegalStateException().isThrownBy(() -> room.await(KEY, LONG, LONG, meeting(ENDED)));
		assertThat(room.await(KEY, LONG, LONG, meeting(ENDED))).isEqualTo(ENDED);
	}

	@Test
	void anOperationThatIsRememberedForEverIsAwaited() {
		Duration forEver = Duration.ofDays(365L * 1_000);
		assertThat(new WaitRoom(1, null).await(KEY, LONG, forEver, meeting(RUNNING, ENDED))).isEqualTo(ENDED);
	}

	@Test
	void aShortRetentionIsPolledMoreOften() {
		assertThat(new WaitRoom(1, null).await(KEY, Duration.ofMillis(300), Duration.ofMillis(4), meeting(RUNNING)))
			.isEqualTo(RUNNING);
		assertThat(this.looks).hasValueGreaterThan(5);
	}

}
