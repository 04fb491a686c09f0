package io.idempotent.messaging;

import com.rabbitmq.client.Channel;
import io.idempotent.Idempotent;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** A repeat is not run, so that its listener cannot acknowledge it. */
class AmqpAcknowledgmentTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Test
	void aListenerThatAcknowledgesByHandIsRefused() {
		this.runner.withBean(ByHand.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("ByHand.receive", "acknowledges its messages by hand", "ackMode = \"AUTO\""));
	}

	@Test
	void aListenerMayUseTheChannelOfAContainerThatAcknowledges() {
		this.runner.withBean(ByContainer.class).run((context) -> assertThat(context).hasNotFailed());
	}

	static class ByHand {

		@RabbitListener(queues = "payments")
		@Idempotent(key = "#payment")
		void receive(String payment, Channel channel) {
		}

	}

	static class ByContainer {

		@RabbitListener(queues = "payments", ackMode = "AUTO")
		@Idempotent(key = "#payment")
		void receive(String payment, Channel channel) {
		}

	}

}
