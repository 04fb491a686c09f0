package io.idempotent.method;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenInProgress;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.engine.policy.DeclaredPolicy;
import io.idempotent.engine.policy.OperationPolicies;
import io.idempotent.engine.policy.OperationPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a broker's listener container sees of an idempotent listener: normal returns,
 * which it acknowledges, and exceptions, after which it delivers again.
 */
class MessageListenerTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local")
		.withBean(Listener.class);

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
	void aFailureIsThrownAndTheNextDeliveryRuns() {
		run((listener) -> {
			listener.failNext();
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> listener.receive("m-1"));
			listener.receive("m-1");
			assertThat(listener.runs()).isEqualTo(2);
		});
	}

	@Test
	void aDuplicateOfAMessageInProgressWaits() {
		run((listener) -> {
			ExecutorService executor = Executors.newSingleThreadExecutor();
			try {
				CountDownLatch release = listener.block();
				Future<?> first = executor.submit(() -> listener.receive("m-1"));
				listener.awaitRun();
				Thread duplicate = new Thread(() -> listener.receive("m-1"));
				duplicate.start();
				duplicate.join(300);
				assertThat(duplicate.isAlive()).as("waits, and acknowledges nothing").isTrue();
				release.countDown();
				first.get(1, TimeUnit.MINUTES);
				duplicate.join(10_000);
				assertThat(duplicate.isAlive()).isFalse();
				assertThat(listener.runs()).isEqualTo(1);
			}
			finally {
				executor.shutdownNow();
			}
		});
	}

	@Test
	void aDuplicateOfAHangingMessageIsRejected() {
		this.runner.withPropertyValues("idempotent.operations[Listener.receive].wait-timeout=50ms").run((context) -> {
			Listener listener = context.getBean(Listener.class);
			ExecutorService executor = Executors.newSingleThreadExecutor();
			CountDownLatch release = listener.block();
			try {
				Future<?> first = executor.submit(() -> listener.receive("m-1"));
				listener.awaitRun();
				assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> listener.receive("m-1"))
					.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.IN_PROGRESS));
				release.countDown();
				first.get(1, TimeUnit.MINUTES);
			}
			finally {
				executor.shutdownNow();
			}
		});
	}

	@Test
	void aMessageWithoutAKeyIsRejected() {
		run((listener) -> assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(() -> listener.receive(null))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.KEY_MISSING)));
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
			assertThat(MessageListeners.isListener(method("plain"))).isFalse();
			assertThat(MessageListeners.isListener(method("receive"))).isTrue();
		});
	}

	private static OperationPolicy policy(OperationPolicies policies, String method) {
		Idempotent annotation = AnnotatedElementUtils.findMergedAnnotation(method(method), Idempotent.class);
		return policies.policy("Listener." + method, DeclaredPolicy.of(annotation, true));
	}

	private static Method method(String name) {
		return ReflectionUtils.findMethod(Listener.class, name, String.class);
	}

	private void run(Use use) {
		this.runner.run((context) -> use.of(context.getBean(Listener.class)));
	}

	@FunctionalInterface
	interface Use {

		void of(Listener listener) throws Exception;

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

		private final CountDownLatch begun = new CountDownLatch(1);

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private volatile boolean fails;

		int runs() {
			return this.runs.get();
		}

		CountDownLatch block() {
			this.gate = new CountDownLatch(1);
			return this.gate;
		}

		void awaitRun() throws InterruptedException {
			assertThat(this.begun.await(1, TimeUnit.MINUTES)).isTrue();
		}

		void failNext() {
			this.fails = true;
		}

		@BrokerListener
		@Idempotent(key = "#id")
		public void receive(@Nullable String id) {
			this.runs.incrementAndGet();
			this.begun.countDown();
			if (this.fails) {
				this.fails = false;
				throw new IllegalStateException("no");
			}
			try {
				assertThat(this.gate.await(1, TimeUnit.MINUTES)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
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

}
