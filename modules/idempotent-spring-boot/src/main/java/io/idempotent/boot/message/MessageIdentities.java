package io.idempotent.boot.message;

import io.cloudevents.CloudEvent;
import io.idempotent.method.MessageIdentity;
import jakarta.jms.JMSException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * The identities of the messages that a listener may take. Each type is optional.
 */
final class MessageIdentities {

	private static final String AMQP = "AMQP property message-id";

	private static final String JMS = "JMSMessageID";

	private MessageIdentities() {
	}

	static MessageIdentity ofCloudEvent() {
		return new ArgumentIdentity<>(CloudEvent.class,
				(event) -> CloudEventHeaders.identity(event.getSource().toString(), event.getId()),
				"id and source of the CloudEvent");
	}

	static MessageIdentity ofSpringMessage() {
		return new ArgumentIdentity<>(Message.class, (message) -> identity(message.getHeaders()),
				CloudEventHeaders.DESCRIPTION + ", " + AMQP + ", " + JMS);
	}

	static MessageIdentity ofSpringHeaders() {
		return new ArgumentIdentity<>(MessageHeaders.class, MessageIdentities::identity,
				CloudEventHeaders.DESCRIPTION + ", " + AMQP + ", " + JMS);
	}

	/** Not {@link MessageHeaders#ID}, which differs in each delivery. */
	private static @Nullable String identity(MessageHeaders headers) {
		String event = CloudEventHeaders.identity(headers::get);
		if (event != null) {
			return event;
		}
		Object amqp = headers.get("amqp_messageId");
		Object id = (amqp != null) ? amqp : headers.get("jms_messageId");
		return (id != null) ? id.toString() : null;
	}

	/** Without topic, partition and offset, which tell deliveries and not messages. */
	static MessageIdentity ofKafkaRecord() {
		return new ArgumentIdentity<>(ConsumerRecord.class, (message) -> CloudEventHeaders.identity((name) -> {
			Header header = message.headers().lastHeader(name);
			return (header != null) ? header.value() : null;
		}), CloudEventHeaders.DESCRIPTION);
	}

	static MessageIdentity ofAmqpMessage() {
		return new ArgumentIdentity<>(org.springframework.amqp.core.Message.class, (message) -> {
			String event = CloudEventHeaders.identity(message.getMessageProperties()::getHeader);
			return (event != null) ? event : message.getMessageProperties().getMessageId();
		}, CloudEventHeaders.DESCRIPTION + ", " + AMQP);
	}

	static MessageIdentity ofJmsMessage() {
		return new ArgumentIdentity<>(jakarta.jms.Message.class, MessageIdentities::identity,
				CloudEventHeaders.DESCRIPTION + ", " + JMS);
	}

	private static @Nullable String identity(jakarta.jms.Message message) {
		try {
			String event = CloudEventHeaders.identity((name) -> property(message, name));
			return (event != null) ? event : message.getJMSMessageID();
		}
		catch (JMSException ex) {
			throw unreadable(ex);
		}
	}

	private static @Nullable Object property(jakarta.jms.Message message, String name) {
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
