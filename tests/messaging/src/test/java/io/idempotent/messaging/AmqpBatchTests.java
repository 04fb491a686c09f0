package io.idempotent.messaging;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.IdempotencyTemplate.Entry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.core.Queue;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static io.idempotent.IdempotencyEvent.Type.COMPLETED;
import static io.idempotent.IdempotencyEvent.Type.REPLAYED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Batches of messages of AMQP 0-9-1.
 */
@Tag("slow")
class AmqpBatchTests extends AmqpContract {

	AmqpBatchTests() {
		super(AmqpBatchShop.class, "spring.rabbitmq.listener.simple.consumer-batch-enabled=true",
				"spring.rabbitmq.listener.simple.batch-size=10", "spring.rabbitmq.listener.simple.prefetch=20",
				"idempotent.guard.enabled=true", "idempotent.operations.payments.wait-timeout=${shop.wait:35s}");
	}

	/** In one batch, a repeat is left out without an event. */
	@Override
	@Test
	void aMessageThatWasSentTwiceIsBookedOnce() {
		for (String id : List.of("twice", "twice", "once", "twice")) {
			send(running(), "payments", id, id);
		}
		await().until(() -> tally().of(COMPLETED) == 2);
		send(running(), "payments", "last", "last");
		await().until(() -> tally().of(COMPLETED) == 3);
		assertThat(bookings()).containsExactlyInAnyOrder("twice", "once", "last");
	}

	@Test
	void aMessageThatFailsLeavesItsBatchAlone() {
		running().getBean(AmqpAdmin.class).initialize();
		String tooLong = "p".repeat(61);
		List<String> sent = IntStream.range(0, 30).mapToObj((i) -> (i % 10 == 4) ? tooLong : "p-" + i).toList();
		sent.forEach((payment) -> send(running(), "payments", payment, UUID.randomUUID().toString()));
		await().until(() -> tally().of(COMPLETED) == 27);
		assertThat(bookings()).doesNotHaveDuplicates().hasSize(27);
		AmqpTemplate amqp = running().getBean(AmqpTemplate.class);
		List<Object> failed = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			failed.add(amqp.receiveAndConvert(AmqpBatchPayments.FAILED, 30_000));
		}
		assertThat(failed).containsOnly(tooLong);
	}

	@Test
	void aMessageInProgressIsAwaitedInTheMiddleOfABatch() {
		declare(running(), "waiting");
		List<String> ids = send("waiting");
		IdempotencyTemplate template = running().getBean(IdempotencyTemplate.class);
		if (!(template.before("payments", ids.get(2)) instanceof Entry.Proceed<@Nullable Void> other)) {
			throw new AssertionError("refused");
		}
		try (ConfigurableApplicationContext shop = run("waiting"); var attempt = other.attempt()) {
			await().until(() -> bookings().equals(ids.subList(0, 2)));
			attempt.failed();
			await().until(() -> shop.getBean(Tally.class).of(COMPLETED) == ids.size());
		}
		assertThat(bookings()).isEqualTo(ids);
	}

	/**
	 * The batch comes back, and what was booked is not booked again. That a failed batch
	 * is requeued is not tested: for {@code basic.nack} with {@code multiple}, Qpid
	 * Broker-J requeues only the last message.
	 */
	@Override
	@Test
	void aConsumerIsKilledBeforeItAcknowledges() {
		declare(running(), "interrupted");
		List<String> ids = send("interrupted");
		runAndKill("interrupted");
		List<String> booked = bookings();
		assertThat(booked).isNotEmpty().isEqualTo(ids.subList(0, booked.size()));
		try (ConfigurableApplicationContext successor = run("interrupted")) {
			Tally tally = successor.getBean(Tally.class);
			await().until(() -> tally.of(REPLAYED) == booked.size() && bookings().size() == ids.size());
		}
		assertThat(bookings()).isEqualTo(ids);
	}

	private List<String> send(String queue) {
		List<String> ids = IntStream.range(0, 5).mapToObj((i) -> UUID.randomUUID().toString()).toList();
		ids.forEach((id) -> send(running(), queue, id, id));
		return ids;
	}

	@Import(AmqpBatchPayments.class)
	static class AmqpBatchShop {

		@Bean
		Queue failedPayments() {
			return new Queue(AmqpBatchPayments.FAILED);
		}

	}

}
