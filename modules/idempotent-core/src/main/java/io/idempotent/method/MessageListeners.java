package io.idempotent.method;

import java.lang.reflect.Method;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Recognizes message listeners: the listener annotations of Kafka, RabbitMQ, JMS and
 * others are meta-annotated with {@code @MessageMapping}, which is optional.
 */
final class MessageListeners {

	private static final String MESSAGE_MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

	private MessageListeners() {
	}

	static boolean isListener(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(MESSAGE_MAPPING);
	}

}
