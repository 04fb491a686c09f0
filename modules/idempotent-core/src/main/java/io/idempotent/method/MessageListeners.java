package io.idempotent.method;

import java.lang.reflect.Method;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Recognizes message listeners by optional annotations: those of Kafka, RabbitMQ, JMS and
 * others are meta-annotated with {@code @MessageMapping};
 * {@code @ApplicationModuleListener} of Spring Modulith, which delivers an event again
 * until its listener has returned, with {@code @TransactionalEventListener}.
 */
final class MessageListeners {

	private static final String MESSAGE_MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

	private static final String TRANSACTIONAL_EVENT = "org.springframework.transaction.event.TransactionalEventListener";

	private MessageListeners() {
	}

	static boolean isListener(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(MESSAGE_MAPPING) || annotations.isPresent(TRANSACTIONAL_EVENT);
	}

}
