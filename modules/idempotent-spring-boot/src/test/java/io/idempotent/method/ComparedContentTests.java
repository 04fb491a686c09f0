package io.idempotent.method;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.testing.TestDatabase;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What {@link Idempotent#compare()} names, or a caller sends beside a key, must be the
 * same in each call with the key.
 */
class ComparedContentTests {

	private final State state = new State();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, JacksonAutoConfiguration.class,
				TransactionAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local")
		.withBean(DataSource.class, () -> TestDatabase.h2().dataSource())
		.withBean(State.class, () -> this.state)
		.withBean(Payments.class);

	private final ApplicationContextRunner letters = this.runner.withBean(Mailbox.class)
		.withBean(LetterIdentity.class)
		.withBean(Post.class);

	@Test
	void theSameContentIsReplayed() {
		run((payments) -> {
			int first = payments.pay(new Payment("p", new BigDecimal("9.90"), "EUR"), "first try");
			assertThat(payments.pay(new Payment("p", new BigDecimal("9.90"), "EUR"), "second try")).isEqualTo(first);
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void otherContentUnderTheKeyIsRefused() {
		run((payments) -> {
			payments.pay(new Payment("p", new BigDecimal("9.90"), "EUR"), "");
			refuses(Refusal.KEY_REUSED, () -> payments.pay(new Payment("p", new BigDecimal("9.91"), "EUR"), ""));
			refuses(Refusal.KEY_REUSED, () -> payments.pay(new Payment("p", new BigDecimal("9.90"), "USD"), ""));
			refuses(Refusal.KEY_REUSED, () -> payments.pay(new Payment("p", new BigDecimal("9.90"), null), ""));
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void noContentIsContentOfItsOwn() {
		run((payments) -> {
			assertThat(payments.note("n", null)).isEqualTo(payments.note("n", null));
			refuses(Refusal.KEY_REUSED, () -> payments.note("n", "text"));
			payments.note("m", "text");
			refuses(Refusal.KEY_REUSED, () -> payments.note("m", null));
		});
	}

	@Test
	void aRepeatInTheSameTransactionIsCompared() {
		this.runner.run((context) -> {
			Payments payments = context.getBean(Payments.class);
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					int first = payments.note("n", "text");
					assertThat(payments.note("n", "text")).isEqualTo(first);
					refuses(Refusal.KEY_REUSED, () -> payments.note("n", "other"));
				});
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aCallWithinTheRunIsCompared() {
		run((payments) -> {
			this.state.within = () -> {
				this.state.within = () -> {
				};
				refuses(Refusal.KEY_REUSED, () -> payments.note("n", "other"));
				payments.note("n", "text");
			};
			payments.note("n", "text");
			assertThat(this.state.runs).hasValue(2);
		});
	}

	@Test
	void aVersionThatComparesReplaysWhatOneHasRecordedThatDoesNot() {
		inBothVersions((plain, comparing) -> {
			int first = plain.transfer("t", 1);
			assertThat(comparing.transfer("t", 1)).isEqualTo(first);
			assertThat(comparing.transfer("t", 2)).isEqualTo(first);
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aVersionThatDoesNotCompareReplaysWhatOneHasRecordedThatDoes() {
		inBothVersions((plain, comparing) -> {
			int first = comparing.transfer("t", 1);
			assertThat(plain.transfer("t", 2)).isEqualTo(first);
			refuses(Refusal.KEY_REUSED, () -> comparing.transfer("t", 2));
			assertThat(comparing.transfer("t", 1)).isEqualTo(first);
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aVersionThatComparesWaitsForOneThatDoesNot() {
		inBothVersions((plain, comparing) -> {
			this.state.within = () -> CompletableFuture
				.runAsync(() -> refuses(Refusal.IN_PROGRESS, () -> comparing.transfer("t", 1)))
				.orTimeout(10, TimeUnit.SECONDS)
				.join();
			plain.transfer("t", 1);
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aListenerThrowsForAMessageWithOtherContent() {
		run((payments) -> {
			payments.receive(new Payment("p", BigDecimal.ONE, "EUR"));
			payments.receive(new Payment("p", BigDecimal.ONE, "EUR"));
			refuses(Refusal.KEY_REUSED, () -> payments.receive(new Payment("p", BigDecimal.TEN, "EUR")));
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aCallWithoutAValueToCompareDoesNotRun() {
		run((payments) -> {
			assertThatExceptionOfType(EvaluationException.class).isThrownBy(() -> payments.partOf("n", null));
			assertThat(this.state.runs).hasValue(0);
		});
	}

	/** Two versions of one application, on one store. */
	private void inBothVersions(BiConsumer<Transfers, Transfers> test) {
		IdempotencyStore shared = new LocalIdempotencyStore(100);
		ApplicationContextRunner version = this.runner.withBean(IdempotencyStore.class, () -> shared)
			.withPropertyValues("idempotent.namespace=bank");
		version.withBean(Transfers.class, () -> new Transfers(this.state))
			.run((plain) -> version.withBean(Transfers.class, () -> new ComparingTransfers(this.state))
				.run((comparing) -> test.accept(plain.getBean(Transfers.class), comparing.getBean(Transfers.class))));
	}

	private void run(Consumer<Payments> test) {
		this.runner.run((context) -> test.accept(context.getBean(Payments.class)));
	}

	@Test
	void callersDoNotShareKeys() {
		onLetters((context, post) -> {
			assertThat(post.send(new Letter("ann", "k", "x"))).isEqualTo(1);
			assertThat(post.send(new Letter("bob", "k", "x"))).isEqualTo(2);
			assertThat(post.send(new Letter(null, "k", "x"))).isEqualTo(3);
			assertThat(post.send(new Letter("-", "k", "x"))).isEqualTo(4);
		});
	}

	@Test
	void otherContentIsRefused() {
		onLetters((context, post) -> {
			post.send(new Letter("ann", "k", Map.of("to", "bob", "at", 1)));
			refuses(Refusal.KEY_REUSED, () -> post.send(new Letter("ann", "k", Map.of("to", "bob"))));
			assertThat(post.send(new Letter("ann", "k", Map.of("at", 1, "to", "bob")))).isEqualTo(1);
		});
	}

	@Test
	void aCallWithoutAUsableKeyIsRefusedAndReported() {
		onLetters((context, post) -> {
			refuses(Refusal.KEY_MISSING, () -> post.send(new Letter("ann", null, "x")))
				.withMessageContaining("Looked for the key on the letter");
			refuses(Refusal.KEY_MALFORMED, () -> post.send(new Letter("ann", "", "x")));
			assertThat(context.getBean(Mailbox.class).refusals).containsExactly(Refusal.KEY_MISSING,
					Refusal.KEY_MALFORMED);
		});
	}

	@Test
	void contentMustBeJson() {
		onLetters((context, post) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> post.send(new Letter("ann", "k", new Object())))
			.withMessageContaining("cannot be written as JSON"));
	}

	private void onLetters(BiConsumer<ApplicationContext, Post> test) {
		this.letters.run((context) -> test.accept(context, context.getBean(Post.class)));
	}

	private static ThrowableAssertAlternative<SubmissionRefusedException> refuses(Refusal refusal,
			ThrowingCallable call) {
		return assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(refusal));
	}

	static class Transfers {

		private final State state;

		Transfers(State state) {
			this.state = state;
		}

		@Idempotent(key = "#id", name = "transfer")
		public int transfer(String id, int amount) {
			this.state.within.run();
			return this.state.runs.incrementAndGet();
		}

	}

	static class ComparingTransfers extends Transfers {

		ComparingTransfers(State state) {
			super(state);
		}

		@Override
		@Idempotent(key = "#id", compare = "#amount", name = "transfer")
		public int transfer(String id, int amount) {
			return super.transfer(id, amount);
		}

	}

	record Payment(String id, BigDecimal amount, @Nullable String currency) {
	}

	static class State {

		final AtomicInteger runs = new AtomicInteger();

		volatile Runnable within = () -> {
		};

	}

	static class Payments {

		private final State state;

		Payments(State state) {
			this.state = state;
		}

		@Idempotent(key = "#payment.id", compare = "{#payment.amount, #payment.currency}")
		int pay(Payment payment, String ignored) {
			return this.state.runs.incrementAndGet();
		}

		@Idempotent(key = "#id", compare = "#text")
		int note(String id, @Nullable String text) {
			this.state.within.run();
			return this.state.runs.incrementAndGet();
		}

		@Idempotent(key = "#payment.id", compare = "#payment")
		@MessageMapping("payments")
		void receive(Payment payment) {
			this.state.runs.incrementAndGet();
		}

		@Idempotent(key = "#id", compare = "#payment.amount")
		int partOf(String id, @Nullable Payment payment) {
			return this.state.runs.incrementAndGet();
		}

	}

	record Letter(@Nullable String caller, @Nullable String key, Object content) {
	}

	static class Post {

		private final Mailbox state;

		Post(Mailbox state) {
			this.state = state;
		}

		@Idempotent
		int send(Letter letter) {
			return this.state.sent.incrementAndGet();
		}

	}

	static class Mailbox implements IdempotencyListener {

		private final AtomicInteger sent = new AtomicInteger();

		private final List<Refusal> refusals = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(IdempotencyEvent event) {
			if (event.refusal() != null) {
				this.refusals.add(event.refusal());
			}
		}

	}

	static class LetterIdentity implements MessageIdentity {

		@Override
		public boolean supports(Method method) {
			return method.getParameterTypes()[0] == Letter.class;
		}

		@Override
		public @Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments) {
			Letter letter = (Letter) arguments[0];
			if (letter == null || letter.key() == null) {
				return null;
			}
			if (letter.key().isEmpty()) {
				throw new SubmissionRefusedException(Refusal.KEY_MALFORMED, operation);
			}
			return new Identity(letter.key(), letter.content(), OperationKey.caller(letter.caller(), null, null));
		}

		@Override
		public boolean isOfCaller() {
			return true;
		}

		@Override
		public String description() {
			return "the key on the letter";
		}

	}

}
