package io.idempotent.method;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.cloudevents.CloudEvent;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenInProgress;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.message.MessageIdentityAutoConfiguration;
import io.idempotent.method.MessageIdentity;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.testing.Unchecked;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a broker's listener container sees of an idempotent listener: normal returns,
 * which it acknowledges, and exceptions, after which it delivers again. And which
 * messages are the same to a listener without a key.
 */
class MessageListenerTests {

	private final ApplicationContextRunner messages = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class, MessageIdentityAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	private final ApplicationContextRunner runner = this.messages.withBean(Listener.class);

	@Test
	void aDuplicateOfAProcessedMessageIsAcknowledged() {
		run((listener) -> {
			listener.receive("m-1");
			listener.receive("m-1");
			assertThat(listener.runs()).isEqualTo(1);
		});
	}

	@Test
	void aDuplicateIsAcknowledgedWhereOthersAreRefused() {
		run((listener) -> {
			listener.once("m-1");
			listener.once("m-1");
			listener.burnt("m-1");
			listener.burnt("m-1");
			assertThat(listener.runs()).isEqualTo(2);
		});
	}

	@Test
	void aDuplicateIsAcknowledgedWithoutTheReplyThatCouldNotBeStored() {
		this.runner.withPropertyValues("idempotent.call.max-result=3B").run((context) -> {
			Listener listener = context.getBean(Listener.class);
			assertThat(listener.reply("m-1")).isEqualTo("reply");
			assertThat(listener.reply("m-1")).isNull();
			assertThat(listener.runs()).isEqualTo(1);
		});
	}

	@Test
	void aDuplicateSendsTheReplyOfTheFirst() {
		run((listener) -> {
			assertThat(listener.reply("m-1")).isEqualTo("reply");
			assertThat(listener.reply("m-1")).isEqualTo("reply");
			assertThat(listener.runs()).isEqualTo(1);
		});
	}

	@Test
	void aDuplicateOfAHangingMessageIsRejected() {
		this.runner.withPropertyValues("idempotent.operations[Listener.receive].wait-timeout=50ms").run((context) -> {
			Listener listener = context.getBean(Listener.class);
			listener.within = () -> assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> CompletableFuture.runAsync(() -> listener.receive("m-1")).join())
				.satisfies((ex) -> assertThat(ex.getCause()).isInstanceOfSatisfying(SubmissionRefusedException.class,
						(refused) -> assertThat(refused.refusal()).isEqualTo(Refusal.IN_PROGRESS)));
			listener.receive("m-1");
			assertThat(listener.runs()).isEqualTo(1);
		});
	}

	@Test
	void byDefaultAListenerWaitsLongerThanALease() {
		this.runner.withPropertyValues("idempotent.defaults.lease=20s").run((context) -> {
			OperationPolicy policy = policy(context.getBean(OperationPolicies.class), "receive");
			assertThat(policy.whenInProgress()).isEqualTo(WhenInProgress.WAIT);
			assertThat(policy.waitTimeout()).isEqualTo(Duration.ofSeconds(25));
		});
	}

	@Test
	void explicitSettingsOfAListenerApply() {
		this.runner.withPropertyValues("idempotent.operations[Listener.told].when-completed=reject").run((context) -> {
			OperationPolicy policy = policy(context.getBean(OperationPolicies.class), "told");
			assertThat(policy.whenInProgress()).isEqualTo(WhenInProgress.REJECT);
			assertThat(policy.waitTimeout()).isEqualTo(Duration.ofSeconds(1));
			assertThat(policy.whenCompleted()).isEqualTo(WhenCompleted.REJECT);
		});
	}

	@Test
	void otherMethodsAndTemplatesDoNotWait() {
		this.runner.run((context) -> {
			OperationPolicies policies = context.getBean(OperationPolicies.class);
			assertThat(policies.policy("op", DeclaredPolicy.NONE).whenInProgress()).isEqualTo(WhenInProgress.REJECT);
			assertThat(context).hasSingleBean(IdempotencyTemplate.class);
			assertThat(IdempotentMethods.isListener(method("plain"))).isFalse();
			assertThat(IdempotentMethods.isListener(method("receive"))).isTrue();
		});
	}

	private static OperationPolicy policy(OperationPolicies policies, String method) {
		Idempotent annotation = AnnotatedElementUtils.findMergedAnnotation(method(method), Idempotent.class);
		return policies.policy("Listener." + method, DeclaredPolicy.of(annotation, true));
	}

	private static Method method(String name) {
		return ReflectionUtils.findMethod(Listener.class, name, String.class);
	}

	private void run(ThrowingConsumer<Listener> test) {
		this.runner.run((context) -> test.accept(context.getBean(Listener.class)));
	}

	@Nested
	class OfSpringMessages {

		@Test
		void idAndSourceOfACloudEventTogether() {
			assertRuns(2, (payments) -> {
				payments.message(message("ce-id", "1", "ce-source", "/a"));
				payments.message(message("ce-id", "1", "ce-source", "/a"));
				payments.message(message("ce-id", "1", "ce-source", "/b"));
			});
		}

		@Test
		void eachBindingHasItsPrefix() {
			assertRuns(1, (payments) -> {
				payments.message(message("ce_id", bytes("1"), "ce_source", bytes("/a")));
				payments.message(message("cloudEvents:id", "1", "cloudEvents:source", "/a"));
				payments.message(message("cloudEvents_id", "1", "cloudEvents_source", "/a"));
			});
		}

		@Test
		void onlyTheHeaders() {
			assertRuns(1, (payments) -> {
				payments.headers(message("ce-id", "1", "ce-source", "/a").getHeaders());
				payments.headers(message("ce-id", "1", "ce-source", "/a").getHeaders());
			});
		}

		@Test
		void theIdOfTheProducerOrTheBroker() {
			assertRuns(2, (payments) -> {
				payments.message(message("amqp_messageId", "1"));
				payments.message(message("amqp_messageId", "1"));
				payments.message(message("jms_messageId", "ID:1"));
				payments.message(message("jms_messageId", "ID:1"));
			});
		}

		@Test
		void neitherTheIdOfADeliveryNorAnOffset() {
			assertRefused(
					(payments) -> payments.message(message("kafka_receivedTopic", "payments", "kafka_offset", 1L)),
					"ce-", "AMQP property message-id", "JMSMessageID");
		}

		@Test
		void notAnIdWithoutASource() {
			assertRefused((payments) -> payments.message(message("ce-id", "1")), "id and source");
		}

	}

	@Nested
	class OfOtherMessages {

		@Test
		void idAndSourceOfACloudEvent() {
			assertRuns(2, (payments) -> {
				payments.event(event("1", "/a"));
				payments.event(event("1", "/a"));
				payments.event(event("1", "/b"));
			});
		}

		@Test
		void theEventInAKafkaRecord() {
			assertRuns(1, (payments) -> {
				payments.kafka(kafka(1));
				payments.kafka(kafka(2));
			});
			assertRefused((payments) -> payments.kafka(new ConsumerRecord<>("payments", 0, 1, "", "")), "CloudEvents");
		}

		@Test
		void theMessageIdOfAmqp() {
			assertRuns(1, (payments) -> {
				payments.amqp(amqp("1"));
				payments.amqp(amqp("1"));
			});
			assertRefused((payments) -> payments.amqp(amqp(null)), "AMQP property message-id");
		}

		@Test
		void theMessageIdOfJms() {
			assertRuns(2, (payments) -> {
				payments.jms(jms("ID:1"));
				payments.jms(jms("ID:1"));
				payments.jms(jms("ID:2"));
			});
		}

	}

	@Test
	void anIdentityOfTheApplicationComesFirst() {
		this.messages.withBean(MessageIdentity.class, OwnHeader::new).withBean(Payments.class).run((context) -> {
			Payments payments = context.getBean(Payments.class);
			payments.message(message("event-id", "1", "ce-id", "1", "ce-source", "/a"));
			payments.message(message("event-id", "1", "ce-id", "2", "ce-source", "/a"));
			assertThat(payments.runs()).isEqualTo(1);
		});
	}

	@Test
	void anExpressionReplacesTheIdentity() {
		assertRuns(2, (payments) -> {
			payments.offset(message("kafka_receivedTopic", "t", "kafka_receivedPartitionId", 0, "kafka_offset", 1L));
			payments.offset(message("kafka_receivedTopic", "t", "kafka_receivedPartitionId", 0, "kafka_offset", 1L));
			payments.offset(message("kafka_receivedTopic", "t", "kafka_receivedPartitionId", 0, "kafka_offset", 2L));
		});
	}

	@Test
	void aPayloadAloneFailsTheStart() {
		this.messages.withBean(PayloadOnly.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("PayloadOnly.receive")
				.hasMessageContaining("has no key")
				.hasMessageContaining("such as Message<Order> instead of Order"));
	}

	@Test
	void theLibrariesAreOptional() {
		this.messages
			.withClassLoader(new FilteredClassLoader("io.cloudevents", "org.apache.kafka", "jakarta.jms",
					"org.springframework.amqp", "org.springframework.messaging"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(MessageIdentity.class));
	}

	private void assertRuns(int runs, Consumer<Payments> deliveries) {
		this.messages.withBean(Payments.class).run((context) -> {
			Payments payments = context.getBean(Payments.class);
			deliveries.accept(payments);
			assertThat(payments.runs()).isEqualTo(runs);
		});
	}

	private void assertRefused(Consumer<Payments> delivery, String... lookedFor) {
		this.messages.withBean(Payments.class).run((context) -> {
			Payments payments = context.getBean(Payments.class);
			assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> delivery.accept(payments))
				.satisfies((refused) -> assertThat(refused.refusal()).isEqualTo(Refusal.KEY_MISSING))
				.satisfies((refused) -> assertThat(refused.getMessage()).contains(lookedFor).contains("Looked for"));
			assertThat(payments.runs()).isZero();
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
		Unchecked.run(() -> Mockito.when(message.getJMSMessageID()).thenReturn(id));
		return message;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * As the listener annotations of Kafka, RabbitMQ and JMS are declared.
	 */
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@MessageMapping
	@interface BrokerListener {

	}

	static class Listener {

		private final AtomicInteger runs = new AtomicInteger();

		private volatile Runnable within = () -> {
		};

		int runs() {
			return this.runs.get();
		}

		@BrokerListener
		@Idempotent(key = "#id")
		public void receive(String id) {
			this.runs.incrementAndGet();
			this.within.run();
		}

		@BrokerListener
		@Idempotent(key = "#id", whenCompleted = WhenCompleted.REJECT)
		public void once(String id) {
			this.runs.incrementAndGet();
		}

		@BrokerListener
		@Idempotent(key = "#id", whenCompleted = WhenCompleted.BURN)
		public void burnt(String id) {
			this.runs.incrementAndGet();
		}

		@BrokerListener
		@Idempotent(key = "#id")
		public @Nullable String reply(String id) {
			this.runs.incrementAndGet();
			return "reply";
		}

		@BrokerListener
		@Idempotent(key = "#id", whenInProgress = WhenInProgress.REJECT, waitTimeout = "1s")
		public void told(String id) {
			this.runs.incrementAndGet();
		}

		@Idempotent(key = "#id")
		public void plain(String id) {
			this.runs.incrementAndGet();
		}

	}

	static class Payments {

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
