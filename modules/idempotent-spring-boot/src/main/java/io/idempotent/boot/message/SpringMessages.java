package io.idempotent.boot.message;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.MessageHeaders;

/**
 * The identity of a message in Spring's own form: not {@link MessageHeaders#ID}, which
 * differs in each delivery, but what the broker's message has.
 */
final class SpringMessages {

	static final String DESCRIPTION = CloudEventHeaders.DESCRIPTION + ", " + AmqpMessages.DESCRIPTION + ", "
			+ JmsMessages.DESCRIPTION;

	/** As in {@code AmqpHeaders} and {@code JmsHeaders}. */
	private static final String[] BROKER_HEADERS = { "amqp_messageId", "jms_messageId" };

	private SpringMessages() {
	}

	static @Nullable String identity(MessageHeaders headers) {
		String event = CloudEventHeaders.identity(headers::get);
		if (event != null) {
			return event;
		}
		for (String name : BROKER_HEADERS) {
			Object id = headers.get(name);
			if (id != null) {
				return id.toString();
			}
		}
		return null;
	}

}
