package io.idempotent.kafka;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.idempotent.IdempotencyEvent.Type.COMPLETED;
import static io.idempotent.IdempotencyEvent.Type.GRANTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Payments arrive in batches, each booked in one transaction. Whatever happens to those
 * who consume them, a payment is booked once.
 */
@Timeout(400)
@Tag("slow")
class BatchPaymentsTests extends PaymentsScenario {

	BatchPaymentsTests() {
		super(BatchListener.class, "idempotent.guard.enabled=true", "idempotent.initialize-schema=always");
	}

	@Test
	void repeatsInAnyBatchAreNotBooked() {
		try (RunningShop shop = start("only", Incident.NONE, "spring.kafka.listener.concurrency=3")) {
			awaitAllAcknowledged();
			assertEachIsBookedOnce();
			assertThat(shop.tally().of(GRANTED)).isEqualTo(Messages.PAYMENTS);
			assertThat(shop.tally().of(COMPLETED)).isEqualTo(Messages.PAYMENTS);
		}
	}

	@Test
	void aFailedMessageIsBookedOnceLikeItsBatch() {
		Set<String> toFail = oneOutOf(100);
		try (RunningShop shop = start("only", firstFailure(toFail))) {
			awaitAllAcknowledged();
			assertEachIsBookedOnce();
			assertThat(shop.tally().of(COMPLETED)).isEqualTo(Messages.PAYMENTS);
		}
	}

	@Test
	void aMessageThatAlwaysFailsIsSkippedAlone() {
		String poison = Messages.id(random().nextInt(Messages.PAYMENTS));
		AtomicInteger tries = new AtomicInteger();
		Incident failure = (payment) -> {
			if (payment.id().equals(poison)) {
				tries.incrementAndGet();
				throw new IllegalStateException("Always");
			}
		};
		try (RunningShop shop = start("only", failure)) {
			awaitAllAcknowledged();
			assertThat(bookings().repeated()).isEmpty();
			assertThat(bookings().missing()).containsExactly(poison);
			assertThat(tries.get()).isPositive();
			assertThat(shop.tally().of(COMPLETED)).isEqualTo(Messages.PAYMENTS - 1);
		}
	}

	@Test
	void consumersMayJoinAndLeaveInTheMiddle() {
		Slowness slow = new Slowness();
		try (RunningShop staying = start("staying", slow, "spring.kafka.consumer.max-poll-records=10")) {
			await().until(() -> bookings().of("staying") > 20);
			try (RunningShop leaving = start("leaving", Incident.NONE, "spring.kafka.consumer.max-poll-records=50")) {
				await().until(() -> bookings().of("leaving") > 200);
				assertThat(leaving.tally().of(GRANTED)).isGreaterThan(200);
			}
			slow.end();
			awaitAllAcknowledged();
			assertThat(staying.tally().of(GRANTED)).isGreaterThan(20);
		}
		assertEachIsBookedOnce();
	}

	/**
	 * A consumer stands still in the middle of a batch, for longer than its group allows.
	 * Its successor gets the same messages, and waits for those in progress.
	 */
	@Test
	void aBatchInProgressIsAwaitedByItsNextConsumer() throws Exception {
		CountDownLatch stuck = new CountDownLatch(1);
		CountDownLatch free = new CountDownLatch(1);
		AtomicInteger booked = new AtomicInteger();
		AtomicBoolean toFail = new AtomicBoolean(true);
		Incident incident = (payment) -> {
			if (booked.incrementAndGet() == 25) {
				stuck.countDown();
				Unchecked.run(() -> free.await());
				if (toFail.compareAndSet(true, false)) {
					throw new IllegalStateException("After all that time");
				}
			}
		};
		String briefly = "idempotent.operations.book-payments.wait-timeout=100ms";
		try (RunningShop slow = start("slow", incident, briefly, "spring.kafka.consumer.max-poll-records=50",
				"spring.kafka.consumer.properties.max.poll.interval.ms=2000")) {
			stuck.await();
			try (RunningShop successor = start("successor", Incident.NONE, briefly)) {
				await().until(() -> !successor.tally().refusedKeys().isEmpty());
				free.countDown();
				await().until(() -> bookings().missing().isEmpty());
			}
			assertThat(slow.tally().of(GRANTED)).isGreaterThanOrEqualTo(25);
		}
		// A commit that failed during the rebalance is repeated after it, and may take
		// back what the successor has acknowledged meanwhile.
		try (RunningShop last = start("last", Incident.NONE)) {
			awaitAllAcknowledged();
			assertThat(last.tally().of(COMPLETED)).isZero();
		}
		assertEachIsBookedOnce();
	}

	/** Before and after the commit of a batch, and before its acknowledgement. */
	@Test
	void killsInTheMiddleOfBatchesRepeatNothing() {
		killConsumersAndLetAnotherOneFinish();
		assertEachIsBookedOnce();
	}

}
