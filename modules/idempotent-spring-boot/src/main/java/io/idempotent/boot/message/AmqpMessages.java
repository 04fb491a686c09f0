package io.idempotent.boot.message;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * The identity of an AMQP message: that of its event, or the one that its producer gave
 * it.
 */
final class AmqpMessages {

	static final String DESCRIPTION = "AMQP property message-id";

	private AmqpMessages() {
	}

	static @Nullable String identity(Message message) {
		MessageProperties properties = message.getMessageProperties();
		String event = CloudEventHeaders.identity(properties::getHeader);
		return (event != null) ? event : properties.getMessageId();
	}

}
