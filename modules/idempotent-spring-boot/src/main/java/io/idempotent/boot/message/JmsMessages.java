package io.idempotent.boot.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a JMS message: that of its event, or the one that the provider gave it.
 */
final class JmsMessages {

	static final String DESCRIPTION = "JMSMessageID";

	private JmsMessages() {
	}

	static @Nullable String identity(Message message) {
		try {
			String event = CloudEventHeaders.identity((name) -> property(message, name));
			return (event != null) ? event : message.getJMSMessageID();
		}
		catch (JMSException ex) {
			throw unreadable(ex);
		}
	}

	private static @Nullable Object property(Message message, String name) {
		try {
			return message.getObjectProperty(name);
		}
		catch (JMSException ex) {
			throw unreadable(ex);
		}
	}

	private static IllegalStateException unreadable(JMSException failure) {
		return new IllegalStateException("The identity of a JMS message could not be read", failure);
	}

}
