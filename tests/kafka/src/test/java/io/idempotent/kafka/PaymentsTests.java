package io.idempotent.kafka;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.idempotent.IdempotencyEvent.Type.COMPLETED;
import static io.idempotent.IdempotencyEvent.Type.GRANTED;
import static io.idempotent.IdempotencyEvent.Type.RELEASED;
import static io.idempotent.IdempotencyEvent.Type.REPLAYED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three out of ten messages are repeats. Whatever happens to those who consume them, a
 * payment is booked once.
 */
@Timeout(400)
@Tag("slow")
class PaymentsTests extends PaymentsScenario {

	PaymentsTests() {
		super(PaymentListener.class);
	}

	@Test
	void aMessageThatWasSentAgainIsNotBookedAgain() {
		try (RunningShop shop = start("only", Incident.NONE, "spring.kafka.listener.concurrency=3")) {
			awaitAllAcknowledged();
			assertEachIsBookedOnce();
			assertThat(shop.tally().all()).isEqualTo(
					Map.of(GRANTED, Messages.PAYMENTS, COMPLETED, Messages.PAYMENTS, REPLAYED, Messages.REPEATS));
		}
	}

	@Test
	void aFailedMessageIsRedeliveredAndBooked() {
		Set<String> toFail = oneOutOf(50);
		int failures = toFail.size();
		try (RunningShop shop = start("only", firstFailure(toFail), "spring.kafka.listener.concurrency=3")) {
			awaitAllAcknowledged();
			assertEachIsBookedOnce();
			assertThat(shop.tally().all()).isEqualTo(Map.of(GRANTED, Messages.PAYMENTS + failures, RELEASED, failures,
					COMPLETED, Messages.PAYMENTS, REPLAYED, Messages.REPEATS));
		}
	}

	@Test
	void consumersMayJoinAndLeave() {
		Tally first;
		Tally second;
		Slowness slow = new Slowness();
		try (RunningShop staying = start("staying", slow, "spring.kafka.consumer.max-poll-records=10")) {
			await().until(() -> bookings().of("staying") > 20);
			try (RunningShop leaving = start("leaving", Incident.NONE, "spring.kafka.consumer.max-poll-records=50")) {
				await().until(() -> bookings().of("leaving") > 200);
				second = leaving.tally();
			}
			slow.end();
			awaitAllAcknowledged();
			first = staying.tally();
		}
		assertEachIsBookedOnce();
		assertThat(first.of(GRANTED) + second.of(GRANTED)).isEqualTo(Messages.PAYMENTS);
		assertThat(first.of(REPLAYED) + second.of(REPLAYED)).isGreaterThanOrEqualTo(Messages.REPEATS);
	}

	/**
	 * A consumer of two threads stands still with two payments, for longer than its group
	 * allows. One of them is booked in the end, the other one not.
	 */
	@Test
	void aMessageInProgressIsRedelivered() throws Exception {
		CountDownLatch stuck = new CountDownLatch(2);
		CountDownLatch free = new CountDownLatch(1);
		AtomicBoolean toFail = new AtomicBoolean(true);
		Incident incident = (payment) -> {
			stuck.countDown();
			Unchecked.run(() -> free.await());
			if (toFail.compareAndSet(true, false)) {
				throw new IllegalStateException("After all that time");
			}
		};
		String briefly = "idempotent.operations[PaymentListener.receive].wait-timeout=100ms";
		try (RunningShop slow = start("slow", incident, briefly, "spring.kafka.listener.concurrency=2",
				"spring.kafka.consumer.max-poll-records=50",
				"spring.kafka.consumer.properties.max.poll.interval.ms=2000")) {
			stuck.await();
			// Fewer than a partition has: the error handler also returns what a poll has
			// taken of another partition, each time together with the failed message.
			try (RunningShop successor = start("successor", Incident.NONE, briefly,
					"spring.kafka.consumer.max-poll-records=50")) {
				await().until(() -> successor.tally().refusedKeys().size() == 2);
				free.countDown();
				awaitAllAcknowledged();
			}
			assertThat(slow.tally().of(RELEASED)).isEqualTo(1);
		}
		assertEachIsBookedOnce();
	}

	/**
	 * One consumer is killed before its commit, one after its commit and before its
	 * record, one after its record and before its acknowledgement.
	 */
	@Test
	void withoutReceiptsAKillAfterTheCommitBooksTwice() {
		Map<Stop.Point, String> killed = killConsumersAndLetAnotherOneFinish("idempotent.guard.enabled=false");
		assertThat(bookings().repeated()).isEqualTo(Map.of(killed.get(Stop.Point.AFTER_COMMIT), 2));
		assertThat(bookings().missing()).isEmpty();
	}

	@Test
	void withReceiptsEachPaymentIsBookedOnceDespiteKills() {
		killConsumersAndLetAnotherOneFinish("idempotent.guard.enabled=true", "idempotent.initialize-schema=always");
		assertEachIsBookedOnce();
	}

}
