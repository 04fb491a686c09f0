package io.idempotent.messaging;

import java.util.List;

import com.rabbitmq.client.Channel;
import io.idempotent.Idempotent;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitHandler;
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
		for (Class<?> listener : List.of(ByHand.class, MethodByHand.class)) {
			this.runner.withBean(listener)
				.run((context) -> assertThat(context).getFailure()
					.hasMessageContainingAll("ByHand.receive", "acknowledges its messages by hand",
							"ackMode = \"AUTO\""));
		}
	}

	@Test
	void aListenerMayUseTheChannelOfAContainerThatAcknowledges() {
		for (Class<?> listener : List.of(ByContainer.class, HandlerByContainer.class)) {
			this.runner.withBean(listener).run((context) -> assertThat(context).hasNotFailed());
		}
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

	@RabbitListener(queues = "payments", ackMode = "AUTO")
	static class HandlerByContainer {

		@RabbitHandler
		@Idempotent(key = "#payment")
		void receive(String payment, Channel channel) {
		}

	}

	@RabbitListener(queues = "payments", ackMode = "AUTO")
	static class MethodByHand {

		@RabbitListener(queues = "refunds")
		@Idempotent(key = "#payment")
		void receive(String payment, Channel channel) {
		}

	}

}
