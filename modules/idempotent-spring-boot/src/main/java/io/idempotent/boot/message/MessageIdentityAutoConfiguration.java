package io.idempotent.boot.message;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import io.cloudevents.CloudEvent;
import io.idempotent.method.MessageIdentity;
import jakarta.jms.JMSException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * Auto-configuration for the identities of messages of the libraries on the class path.
 */
@AutoConfiguration
@ConditionalOnClass(MessageIdentity.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class MessageIdentityAutoConfiguration {

	private static final String AMQP = "AMQP property message-id";

	private static final String JMS = "JMSMessageID";

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CloudEvent.class)
	static class CloudEventsConfiguration {

		@Bean("io.idempotent.idempotentCloudEventIdentity")
		MessageIdentity idempotentCloudEventIdentity() {
			return new ArgumentIdentity<>(CloudEvent.class,
					(event) -> CloudEventHeaders.identity(event.getSource().toString(), event.getId()),
					"id and source of the CloudEvent");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Message.class)
	static class SpringMessagingConfiguration {

		private static final String DESCRIPTION = CloudEventHeaders.DESCRIPTION + ", " + AMQP + ", " + JMS;

		/** As in {@code AmqpHeaders} and {@code JmsHeaders}. */
		private static final String[] BROKER_HEADERS = { "amqp_messageId", "jms_messageId" };

		@Bean("io.idempotent.idempotentMessageIdentity")
		MessageIdentity idempotentMessageIdentity() {
			return new ArgumentIdentity<>(Message.class, (message) -> identity(message.getHeaders()), DESCRIPTION);
		}

		@Bean("io.idempotent.idempotentMessageHeadersIdentity")
		MessageIdentity idempotentMessageHeadersIdentity() {
			return new ArgumentIdentity<>(MessageHeaders.class, SpringMessagingConfiguration::identity, DESCRIPTION);
		}

		/** Not {@link MessageHeaders#ID}, which differs in each delivery. */
		private static @Nullable String identity(MessageHeaders headers) {
			String event = CloudEventHeaders.identity(headers::get);
			return (event != null) ? event
					: Stream.of(BROKER_HEADERS)
						.map(headers::get)
						.filter(Objects::nonNull)
						.map(Object::toString)
						.findFirst()
						.orElse(null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConsumerRecord.class)
	static class KafkaConfiguration {

		@Bean("io.idempotent.idempotentKafkaRecordIdentity")
		MessageIdentity idempotentKafkaRecordIdentity() {
			return new ArgumentIdentity<>(ConsumerRecord.class, KafkaConfiguration::identity,
					CloudEventHeaders.DESCRIPTION);
		}

		/**
		 * Topic, partition and offset are the place of a record, which differs if it is
		 * sent twice or moved to another topic.
		 */
		private static @Nullable String identity(ConsumerRecord<?, ?> message) {
			return CloudEventHeaders.identity((name) -> {
				Header header = message.headers().lastHeader(name);
				return (header != null) ? header.value() : null;
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(org.springframework.amqp.core.Message.class)
	static class AmqpConfiguration {

		@Bean("io.idempotent.idempotentAmqpMessageIdentity")
		MessageIdentity idempotentAmqpMessageIdentity() {
			return new ArgumentIdentity<>(org.springframework.amqp.core.Message.class, AmqpConfiguration::identity,
					CloudEventHeaders.DESCRIPTION + ", " + AMQP);
		}

		private static @Nullable String identity(org.springframework.amqp.core.Message message) {
			MessageProperties properties = message.getMessageProperties();
			String event = CloudEventHeaders.identity(properties::getHeader);
			return (event != null) ? event : properties.getMessageId();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(jakarta.jms.Message.class)
	static class JmsConfiguration {

		@Bean("io.idempotent.idempotentJmsMessageIdentity")
		MessageIdentity idempotentJmsMessageIdentity() {
			return new ArgumentIdentity<>(jakarta.jms.Message.class, JmsConfiguration::identity,
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

	/** The identity of a CloudEvent in binary mode, whose attributes are headers. */
	private static final class CloudEventHeaders {

		/** Of HTTP and Spring Messaging, Kafka, AMQP, and names that JMS admits. */
		private static final List<String> PREFIXES = List.of("ce-", "ce_", "cloudEvents:", "cloudEvents_");

		static final String DESCRIPTION = "CloudEvents headers id and source (" + String.join(", ", PREFIXES) + ")";

		private CloudEventHeaders() {
		}

		static @Nullable String identity(Function<String, @Nullable Object> headers) {
			for (String prefix : PREFIXES) {
				String identity = identity(text(headers.apply(prefix + "source")), text(headers.apply(prefix + "id")));
				if (identity != null) {
					return identity;
				}
			}
			return null;
		}

		/** A source is a URI without spaces, so equal identities have equal parts. */
		static @Nullable String identity(String source, String id) {
			return (source.isEmpty() || id.isEmpty()) ? null : source + " " + id;
		}

		/** Headers of Kafka are bytes. */
		private static String text(@Nullable Object header) {
			if (header == null) {
				return "";
			}
			return (header instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : header.toString();
		}

	}

	/** The reader returns null if a message has no identity. */
	record ArgumentIdentity<T>(Class<T> type, Function<T, @Nullable String> reader,
			String description) implements MessageIdentity {

		@Override
		public boolean supports(Method method) {
			return Stream.of(method.getParameterTypes()).anyMatch(this.type::isAssignableFrom);
		}

		@Override
		public @Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments) {
			T message = Arrays.stream(arguments)
				.filter(this.type::isInstance)
				.map(this.type::cast)
				.findFirst()
				.orElse(null);
			String key = (message != null) ? this.reader.apply(message) : null;
			return (key != null) ? Identity.of(key) : null;
		}

	}

}
