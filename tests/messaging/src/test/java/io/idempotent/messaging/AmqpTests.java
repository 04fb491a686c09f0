package io.idempotent.messaging;

import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AmqpTemplate;

import static io.idempotent.IdempotencyEvent.Type.COMPLETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Single messages of AMQP 0-9-1.
 */
@Tag("slow")
class AmqpTests extends AmqpContract {

	AmqpTests() {
		super(AmqpShop.class);
	}

	@Test
	void aMessageWithoutAnIdIsRejectedOnce() {
		AmqpTemplate amqp = running().getBean(AmqpTemplate.class);
		amqp.convertAndSend("payments", "p-5");
		await().until(() -> tally().withoutKey() > 0);
		send(running(), "payments", "p-6", UUID.randomUUID().toString());
		await().until(() -> tally().of(COMPLETED) == 1);
		assertThat(tally().withoutKey()).isEqualTo(1);
		assertThat(bookings()).containsExactly("p-6");
	}

}
