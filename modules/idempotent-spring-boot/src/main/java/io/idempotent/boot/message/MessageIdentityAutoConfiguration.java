package io.idempotent.boot.message;

import io.cloudevents.CloudEvent;
import io.idempotent.method.MessageIdentity;
import org.apache.kafka.clients.consumer.ConsumerRecord;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the identities of messages, by the libraries that are there.
 */
@AutoConfiguration
@ConditionalOnClass(MessageIdentity.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class MessageIdentityAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CloudEvent.class)
	static class CloudEventsConfiguration {

		@Bean
		MessageIdentity idempotentCloudEventIdentity() {
			return new ArgumentIdentity<>(CloudEvent.class,
					(event) -> CloudEventHeaders.identity(event.getSource().toString(), event.getId()),
					"id and source of the CloudEvent");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Message.class)
	static class SpringMessagingConfiguration {

		@Bean
		MessageIdentity idempotentMessageIdentity() {
			return new ArgumentIdentity<>(Message.class, (message) -> SpringMessages.identity(message.getHeaders()),
					SpringMessages.DESCRIPTION);
		}

		@Bean
		MessageIdentity idempotentMessageHeadersIdentity() {
			return new ArgumentIdentity<>(MessageHeaders.class, SpringMessages::identity, SpringMessages.DESCRIPTION);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConsumerRecord.class)
	static class KafkaConfiguration {

		@Bean
		MessageIdentity idempotentKafkaRecordIdentity() {
			return new ArgumentIdentity<>(ConsumerRecord.class, KafkaRecords::identity, CloudEventHeaders.DESCRIPTION);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(org.springframework.amqp.core.Message.class)
	static class AmqpConfiguration {

		@Bean
		MessageIdentity idempotentAmqpMessageIdentity() {
			return new ArgumentIdentity<>(org.springframework.amqp.core.Message.class, AmqpMessages::identity,
					CloudEventHeaders.DESCRIPTION + ", " + AmqpMessages.DESCRIPTION);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(jakarta.jms.Message.class)
	static class JmsConfiguration {

		@Bean
		MessageIdentity idempotentJmsMessageIdentity() {
			return new ArgumentIdentity<>(jakarta.jms.Message.class, JmsMessages::identity,
					CloudEventHeaders.DESCRIPTION + ", " + JmsMessages.DESCRIPTION);
		}

	}

}
