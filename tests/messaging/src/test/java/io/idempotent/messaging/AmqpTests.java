package io.idempotent.messaging;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.core.Queue;
import org.springframework.context.ConfigurableApplicationContext;

import static io.idempotent.IdempotencyEvent.Type.COMPLETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Messages of AMQP 0-9-1, which RabbitMQ speaks, from Apache Qpid Broker-J.
 */
@Tag("slow")
class AmqpTests extends PaymentsContract {

	private final QpidBroker broker = new QpidBroker();

	AmqpTests() {
		super(AmqpShop.class);
	}

	@Override
	List<String> startBroker() throws Exception {
		this.broker.start("payments");
		return List.of("spring.rabbitmq.port=" + this.broker.port(), "spring.rabbitmq.virtual-host=default",
				"spring.autoconfigure.exclude="
						+ "org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration");
	}

	@Override
	void stopBroker() {
		this.broker.close();
	}

	@Override
	void declare(ConfigurableApplicationContext application, String queue) {
		application.getBean(AmqpAdmin.class).declareQueue(new Queue(queue));
	}

	@Override
	void send(ConfigurableApplicationContext application, String queue, String payment, String id) {
		application.getBean(AmqpTemplate.class).convertAndSend(queue, (Object) payment, (message) -> {
			message.getMessageProperties().setMessageId(id);
			return message;
		});
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
