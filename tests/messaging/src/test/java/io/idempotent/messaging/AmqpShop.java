package io.idempotent.messaging;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;

import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Books payments from RabbitMQ. The error handler stands in {@code docs/messages.md}.
 */
@Import(AmqpPayments.class)
class AmqpShop {

	@Bean
	ContainerCustomizer<SimpleMessageListenerContainer> refusals() {
		return (container) -> container.setErrorHandler(new ConditionalRejectingErrorHandler(new FinalRefusals()));
	}

	/**
	 * A message that can never be accepted goes to the dead letters. Any other failure
	 * puts it back.
	 */
	static class FinalRefusals extends ConditionalRejectingErrorHandler.DefaultExceptionStrategy {

		@Override
		protected boolean isUserCauseFatal(Throwable cause) {
			return cause instanceof SubmissionRefusedException refused && refused.refusal() != Refusal.IN_PROGRESS
					&& refused.refusal() != Refusal.STORE_UNAVAILABLE;
		}

	}

}
