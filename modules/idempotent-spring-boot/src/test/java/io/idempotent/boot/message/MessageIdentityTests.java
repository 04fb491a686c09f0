package io.idempotent.boot.message;

import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.cloudevents.CloudEvent;
import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.method.MessageIdentity;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.support.GenericMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which messages are the same to a listener without a key.
 */
class MessageIdentityTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class, MessageIdentityAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Nested
	class OfSpringMessages {

		@Test
		void idAndSourceOfACloudEventTogether() {
			assertRuns(2, (listener) -> {
				listener.message(message("ce-id", "1", "ce-source", "/a"));
				listener.message(message("ce-id", "1", "ce-source", "/a"));
				listener.message(message("ce-id", "1", "ce-source", "/b"));
			});
		}

		@Test
		void eachBindingHasItsPrefix() {
			assertRuns(1, (listener) -> {
				listener.message(message("ce_id", bytes("1"), "ce_source", bytes("/a")));
				listener.message(message("cloudEvents:id", "1", "cloudEvents:source", "/a"));
				listener.message(message("cloudEvents_id", "1", "cloudEvents_source", "/a"));
			});
		}

		@Test
		void onlyTheHeaders() {
			assertRuns(1, (listener) -> {
				listener.headers(message("ce-id", "1", "ce-source", "/a").getHeaders());
				listener.headers(message("ce-id", "1", "ce-source", "/a").getHeaders());
			});
		}

		@Test
		void theIdOfTheProducerOrTheBroker() {
			assertRuns(2, (listener) -> {
				listener.message(message("amqp_messageId", "1"));
				listener.message(message("amqp_messageId", "1"));
				listener.message(message("jms_messageId", "ID:1"));
				listener.message(message("jms_messageId", "ID:1"));
			});
		}

		@Test
		void neitherTheIdOfADeliveryNorAnOffset() {
			assertRefused(
					(listener) -> listener.message(message("kafka_receivedTopic", "payments", "kafka_offset", 1L)),
					"ce-", "AMQP property message-id", "JMSMessageID");
		}

		@Test
		void notAnIdWithoutASource() {
			assertRefused((listener) -> listener.message(message("ce-id", "1")), "id and source");
		}

	}

	@Nested
	class OfOtherMessages {

		@Test
		void idAndSourceOfACloudEvent() {
			assertRuns(2, (listener) -> {
				listener.event(event("1", "/a"));
				listener.event(event("1", "/a"));
				listener.event(event("1", "/b"));
			});
		}

		@Test
		void theEventInAKafkaRecord() {
			assertRuns(1, (listener) -> {
				listener.kafka(kafka(1));
				listener.kafka(kafka(2));
			});
			assertRefused((listener) -> listener.kafka(new ConsumerRecord<>("payments", 0, 1, "", "")), "CloudEvents");
		}

		@Test
		void theMessageIdOfAmqp() {
			assertRuns(1, (listener) -> {
				listener.amqp(amqp("1"));
				listener.amqp(amqp("1"));
			});
			assertRefused((listener) -> listener.amqp(amqp(null)), "AMQP property message-id");
		}

		@Test
		void theMessageIdOfJms() {
			assertRuns(2, (listener) -> {
				listener.jms(jms("ID:1"));
				listener.jms(jms("ID:1"));
				listener.jms(jms("ID:2"));
			});
		}

	}

	@Test
	void anIdentityOfTheApplicationComesFirst() {
		this.runner.withBean(MessageIdentity.class, OwnHeader::new).withBean(Listener.class).run((context) -> {
			Listener listener = context.getBean(Listener.class);
			listener.message(message("event-id", "1", "ce-id", "1", "ce-source", "/a"));
			listener.message(message("event-id", "1", "ce-id", "2", "ce-source", "/a"));
			assertThat(listener.runs()).isEqualTo(1);
		});
	}

	@Test
	void anExpressionReplacesTheIdentity() {
		assertRuns(2, (listener) -> {
			listener.offset(message("kafka_receivedTopic", "t", "kafka_receivedPartitionId", 0, "kafka_offset", 1L));
			listener.offset(message("kafka_receivedTopic", "t", "kafka_receivedPartitionId", 0, "kafka_offset", 1L));
			listener.offset(message("kafka_receivedTopic", "t", "kafka_receivedPartitionId", 0, "kafka_offset", 2L));
		});
	}

	@Test
	void aPayloadAloneFailsTheStart() {
		this.runner.withBean(PayloadOnly.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("PayloadOnly.receive")
				.hasMessageContaining("has no key")
				.hasMessageContaining("such as Message<Order> instead of Order"));
	}

	@Test
	void aBatchFailsTheStart() {
		this.runner.withBean(Batch.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("has no key"));
	}

	@Test
	void theLibrariesAreOptional() {
		this.runner
			.withClassLoader(new FilteredClassLoader("io.cloudevents", "org.apache.kafka", "jakarta.jms",
					"org.springframework.amqp", "org.springframework.messaging"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(MessageIdentity.class));
	}

	private void assertRuns(int runs, Consumer<Listener> deliveries) {
		this.runner.withBean(Listener.class).run((context) -> {
			Listener listener = context.getBean(Listener.class);
			deliveries.accept(listener);
			assertThat(listener.runs()).isEqualTo(runs);
		});
	}

	private void assertRefused(Consumer<Listener> delivery, String... lookedFor) {
		this.runner.withBean(Listener.class).run((context) -> {
			Listener listener = context.getBean(Listener.class);
			assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> delivery.accept(listener))
				.satisfies((refused) -> assertThat(refused.refusal()).isEqualTo(Refusal.KEY_MISSING))
				.satisfies((refused) -> assertThat(refused.getMessage()).contains(lookedFor).contains("Looked for"));
			assertThat(listener.runs()).isZero();
		});
	}

	private static Message<String> message(Object... headers) {
		Map<String, Object> map = new HashMap<>();
		for (int i = 0; i < headers.length; i += 2) {
			map.put((String) headers[i], headers[i + 1]);
		}
		return new GenericMessage<>("payment", map);
	}

	private static CloudEvent event(String id, String source) {
		CloudEvent event = Mockito.mock(CloudEvent.class);
		Mockito.when(event.getId()).thenReturn(id);
		Mockito.when(event.getSource()).thenReturn(URI.create(source));
		return event;
	}

	private static ConsumerRecord<String, String> kafka(long offset) {
		ConsumerRecord<String, String> message = new ConsumerRecord<>("payments", 0, offset, "", "");
		message.headers().add("ce_id", bytes("1")).add("ce_source", bytes("/a"));
		return message;
	}

	private static org.springframework.amqp.core.Message amqp(@Nullable String id) {
		MessageProperties properties = new MessageProperties();
		properties.setMessageId(id);
		return new org.springframework.amqp.core.Message(new byte[0], properties);
	}

	private static jakarta.jms.Message jms(String id) {
		jakarta.jms.Message message = Mockito.mock(jakarta.jms.Message.class);
		try {
			Mockito.when(message.getJMSMessageID()).thenReturn(id);
		}
		catch (jakarta.jms.JMSException ex) {
			throw new IllegalStateException(ex);
		}
		return message;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static class Listener {

		private int runs;

		@MessageMapping
		@Idempotent
		public void message(Message<String> payment) {
			this.runs++;
		}

		@MessageMapping
		@Idempotent
		public void headers(MessageHeaders headers) {
			this.runs++;
		}

		@MessageMapping
		@Idempotent
		public void event(CloudEvent payment) {
			this.runs++;
		}

		@MessageMapping
		@Idempotent
		public void kafka(ConsumerRecord<String, String> payment) {
			this.runs++;
		}

		@MessageMapping
		@Idempotent
		public void amqp(org.springframework.amqp.core.Message payment) {
			this.runs++;
		}

		@MessageMapping
		@Idempotent
		public void jms(jakarta.jms.Message payment) {
			this.runs++;
		}

		@MessageMapping
		@Idempotent(key = "{#payment.headers['kafka_receivedTopic'], #payment.headers['kafka_receivedPartitionId'], "
				+ "#payment.headers['kafka_offset']}")
		public void offset(Message<String> payment) {
			this.runs++;
		}

		public int runs() {
			return this.runs;
		}

	}

	static class PayloadOnly {

		@MessageMapping
		@Idempotent
		public void receive(String payment) {
		}

	}

	static class Batch {

		@MessageMapping
		@Idempotent
		public void receive(List<Message<String>> payments) {
		}

	}

	static final class OwnHeader implements MessageIdentity {

		@Override
		public boolean supports(Method method) {
			return List.of(method.getParameterTypes()).contains(Message.class);
		}

		@Override
		public @Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments) {
			return (arguments[0] instanceof Message<?> message
					&& message.getHeaders().get("event-id") instanceof String id) ? Identity.of(id) : null;
		}

		@Override
		public String description() {
			return "the header event-id";
		}

	}

}
