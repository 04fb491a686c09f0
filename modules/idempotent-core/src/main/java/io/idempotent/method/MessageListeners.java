package io.idempotent.method;

import java.lang.reflect.Method;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Tells methods that listen to messages: all of Kafka's, RabbitMQ's, JMS's and other
 * listener annotations are a {@code @MessageMapping}, which may not be there.
 */
final class MessageListeners {

	private static final String MESSAGE_MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

	private MessageListeners() {
	}

	static boolean isListener(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(MESSAGE_MAPPING);
	}

}
