package io.idempotent.method;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.idempotent.Idempotent;
import io.idempotent.OutcomeRecoverer;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.support.StartUpException;
import io.idempotent.testing.LosingTransactionManager;
import io.idempotent.testing.TestDatabase;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a caller of an annotated bean method sees.
 */
class IdempotentMethodTests {

	private static final List<String> RUNS = new ArrayList<>();

	private final State state = new State();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, JacksonAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local")
		.withBean(State.class, () -> this.state)
		.withBean(Service.class)
		.withBean(Charges.class);

	@Test
	void aDuplicateGetsTheFirstResultAndRunsNothing() {
		run((service) -> {
			Receipt first = service.charge("o-1", new BigDecimal("9.90"));
			assertThat(service.charge("o-1", new BigDecimal("9.90"))).isEqualTo(first).isNotSameAs(first);
			assertThat(service.charge("o-2", new BigDecimal("9.90"))).isNotEqualTo(first);
			assertThat(this.state.runs).hasValue(2);
		});
	}

	@Test
	void aRecovererMayCallItsMethodWhileItIsCreated() {
		this.runner.withAllowCircularReferences(true)
			.withBean(Restored.class)
			.withUserConfiguration(Restoring.class)
			.run((context) -> assertThat(context.getBean(Restoring.class).created).isEqualTo("k"));
	}

	static class Restored {

		@Idempotent(key = "#key", recoverer = "restoring")
		String run(String key) {
			return key;
		}

	}

	@Lazy
	@Component("restoring")
	static class Restoring implements OutcomeRecoverer, InitializingBean {

		private final Restored restored;

		private String created;

		Restoring(Restored restored) {
			this.restored = restored;
		}

		@Override
		public void afterPropertiesSet() {
			this.created = this.restored.run("k");
		}

		@Override
		public Optional<?> recover(EffectiveOperation operation) {
			return Optional.empty();
		}

	}

	@Test
	void genericResultsAreRestored() {
		run((service) -> {
			Map<String, List<Receipt>> first = service.byCustomer("k");
			assertThat(service.byCustomer("k")).isEqualTo(first).isNotSameAs(first);
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aTypeVariableIsResolvedForTheBean() {
		this.runner.run((context) -> {
			Charges charges = context.getBean(Charges.class);
			Receipt first = charges.handle("k");
			assertThat(charges.handle("k")).isEqualTo(first).isInstanceOf(Receipt.class);
		});
	}

	@Test
	void nothingAndAnEmptyOptionalAreTwoResults() {
		run((service) -> {
			assertThat(service.find("absent")).isEmpty();
			assertThat(service.find("absent")).isEmpty();
			assertThat(service.find("null")).isNull();
			assertThat(service.find("null")).isNull();
			assertThat(service.find("there")).isEqualTo(service.find("there")).isPresent();
			assertThat(this.state.runs).hasValue(3);
		});
	}

	@Test
	void anExceptionReleasesTheClaim() {
		run((service) -> {
			this.state.fails = true;
			assertThatIllegalStateException().isThrownBy(() -> service.send("k")).withMessage("no");
			this.state.fails = false;
			service.send("k");
			assertThat(this.state.runs).hasValue(2);
		});
	}

	@Test
	void anExceptionLeavesTheOutcomeUnknownIfConfigured() {
		run((service) -> {
			this.state.fails = true;
			assertThatIllegalStateException().isThrownBy(() -> service.careful("k")).withMessage("no");
			refuses(Refusal.OUTCOME_UNKNOWN, () -> service.careful("k"));
			assertThat(this.state.runs).hasValue(1);
		});
	}

	@Test
	void aRollbackFollowsThePolicyForFailures() {
		this.runner
			.withConfiguration(AutoConfigurations.of(TransactionAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class))
			.withBean(DataSource.class, () -> TestDatabase.h2().dataSource())
			.run((context) -> {
				Service service = context.getBean(Service.class);
				context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
					service.careful("k");
					status.setRollbackOnly();
				});
				refuses(Refusal.OUTCOME_UNKNOWN, () -> service.careful("k"));
			});
	}

	@Test
	void aCommitInDoubtOfAServiceLeavesTheOutcomeUnknown() {
		LosingTransactionManager manager = new LosingTransactionManager(TestDatabase.h2().dataSource());
		this.state.work = () -> new TransactionTemplate(manager).executeWithoutResult((status) -> {
		});
		this.runner.withBean(PlatformTransactionManager.class, () -> manager).run((context) -> {
			Service service = context.getBean(Service.class);
			manager.loseNextCommit(true);
			assertThatExceptionOfType(TransactionSystemException.class).isThrownBy(() -> service.calling("k"));
			refuses(Refusal.OUTCOME_UNKNOWN, () -> service.calling("k"));
		});
	}

	@Test
	void aDuplicateIsRefusedIfConfigured() {
		run((service) -> {
			assertThat(service.once("k")).isNotNull();
			refuses(Refusal.DUPLICATE, () -> service.once("k"));
			service.burnt("k");
			refuses(Refusal.DUPLICATE, () -> service.burnt("k"));
		});
	}

	@Test
	void withoutAKeyNothingRuns() {
		run((service) -> {
			refuses(Refusal.KEY_MISSING, () -> service.send(null));
			refuses(Refusal.KEY_MISSING, () -> service.send(""));
			assertThat(this.state.runs).hasValue(0);
		});
	}

	private void run(ThrowingConsumer<Service> test) {
		this.runner.run((context) -> test.accept(context.getBean(Service.class)));
	}

	private static void refuses(Refusal reason, ThrowingCallable call) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(reason));
	}

	private <T> void run(Class<T> type, ThrowingConsumer<T> test) {
		RUNS.clear();
		this.runner.withBean(type).run((context) -> test.accept(context.getBean(type)));
	}

	private void fails(Class<?> type, String... parts) {
		this.runner.withBean(type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll(parts));
	}

	record Receipt(int number, BigDecimal amount, Instant at, Optional<String> note) {
	}

	abstract static class Handler<T> {

		@Idempotent(key = "#id")
		public T handle(String id) {
			return make(id);
		}

		abstract T make(String id);

	}

	static class Charges extends Handler<Receipt> {

		@Override
		Receipt make(String id) {
			return new Receipt(7, BigDecimal.TEN, Instant.EPOCH, Optional.of(id));
		}

	}

	static class State {

		final AtomicInteger runs = new AtomicInteger();

		volatile boolean fails;

		volatile Runnable work = () -> {
		};

	}

	static class Service {

		private final State state;

		Service(State state) {
			this.state = state;
		}

		@Idempotent(key = "#orderId")
		Receipt charge(String orderId, BigDecimal amount) {
			return new Receipt(this.state.runs.incrementAndGet(), amount, Instant.now(), Optional.empty());
		}

		@Idempotent(key = "#id")
		Map<String, List<Receipt>> byCustomer(String id) {
			return Map.of(id, List.of(new Receipt(this.state.runs.incrementAndGet(), BigDecimal.ONE, Instant.now(),
					Optional.of("note"))));
		}

		@Idempotent(key = "#id")
		@SuppressWarnings("NullableOptional")
		@Nullable Optional<Receipt> find(String id) {
			this.state.runs.incrementAndGet();
			return switch (id) {
				case "absent" -> Optional.empty();
				case "null" -> null;
				default -> Optional.of(new Receipt(1, BigDecimal.ONE, Instant.now(), Optional.empty()));
			};
		}

		@Idempotent(key = "#id")
		void send(@Nullable String id) {
			this.state.runs.incrementAndGet();
			if (this.state.fails) {
				throw new IllegalStateException("no");
			}
		}

		@Idempotent(key = "#id", whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		void careful(String id) {
			send(id);
		}

		@Idempotent(key = "#id", whenUnknown = WhenUnknown.REJECT)
		void calling(String id) {
			this.state.work.run();
		}

		@Idempotent(key = "#id", whenCompleted = WhenCompleted.REJECT)
		Object once(String id) {
			return this;
		}

		@Idempotent(key = "#id", whenCompleted = WhenCompleted.BURN)
		void burnt(String id) {
			this.state.runs.incrementAndGet();
		}

	}

	@Nested
	class OnClasses {

		@Test
		void aPublicMethodRunsOnceForEachKey() {
			run(Billing.class, (charges) -> {
				charges.charge("a");
				charges.charge("a");
				charges.refund("a");
				charges.charge("b");
				assertThat(RUNS).containsExactly("charge a", "refund a", "charge b");
			});
		}

		@Test
		void methodsOfObjectAndPrivateOnesAreNoOperations() {
			run(Billing.class, (charges) -> assertThat(charges).hasToString("charges"));
		}

		@Test
		void theAnnotationOfTheMethodWinsEntirely() {
			run(Billing.class, (charges) -> {
				charges.own("a", "x");
				charges.own("b", "x");
				assertThat(RUNS).containsExactly("own a");
			});
		}

		@Test
		void aSuperclassAndAnInterfacePassItOn() {
			run(Inheriting.class, (bean) -> {
				bean.ship("a");
				bean.ship("a");
				assertThat(RUNS).containsExactly("ship a");
			});
			run(Implementing.class, (bean) -> {
				bean.send("a");
				bean.send("a");
				assertThat(RUNS).containsExactly("send a");
			});
		}

		@Test
		void methodsOfASuperclassWithoutItAreNoOperations() {
			run(Extending.class, (bean) -> {
				bean.base("a");
				bean.base("a");
				bean.own("a");
				bean.own("a");
				assertThat(RUNS).containsExactly("base a", "base a", "own a");
			});
		}

		@Test
		void theKeyMustBeValidForEveryMethod() {
			fails(Unsuitable.class, "@Idempotent Unsuitable.other", "names #order");
		}

	}

	@Nested
	class OwnAnnotations {

		@Test
		void attributesOverrideThoseOfTheLibrary() {
			run(Mails.class, (mails) -> {
				mails.send("a");
				assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> mails.send("a"))
					.satisfies((refused) -> {
						assertThat(refused.refusal()).isEqualTo(Refusal.DUPLICATE);
						assertThat(refused.userMessage()).isEqualTo("Sent before");
					});
				assertThat(AopUtils.isAopProxy(mails)).isTrue();
			});
		}

	}

	@Nested
	class Conditions {

		@Test
		void aCallThatDoesNotMeetItRunsUnprotected() {
			run(Transfers.class, (transfers) -> {
				assertThat(transfers.transfer("a", 100)).isEqualTo(1);
				assertThat(transfers.transfer("a", 100)).isEqualTo(2);
				assertThat(transfers.transfer(null, 100)).isEqualTo(3);
				assertThat(transfers.transfer("a", 101)).isEqualTo(4);
				assertThat(transfers.transfer("a", 500)).isEqualTo(4);
			});
		}

		@Test
		void withoutADecisionNothingRuns() {
			run(Transfers.class, (transfers) -> {
				assertThatIllegalArgumentException().isThrownBy(() -> transfers.undecided("a"))
					.withMessageContainingAll("operation 'Transfers.undecided'", "a java.lang.String",
							"the method is not run");
				assertThat(RUNS).isEmpty();
			});
		}

	}

	@Idempotent(key = "#order")
	static class Billing {

		public void charge(String order) {
			RUNS.add("charge " + order);
		}

		public void refund(String order) {
			RUNS.add("refund " + order);
		}

		@Idempotent(key = "#request")
		public void own(String order, String request) {
			RUNS.add("own " + order);
		}

		void inPackage(String order) {
			RUNS.add("package " + order);
		}

		private String name() {
			return "charges";
		}

		@Override
		public String toString() {
			return name();
		}

	}

	@Idempotent(key = "#order")
	abstract static class Annotated {

	}

	static class Inheriting extends Annotated {

		public void ship(String order) {
			RUNS.add("ship " + order);
		}

	}

	@Idempotent(key = "#order")
	interface Contract {

		void send(String order);

	}

	static class Implementing implements Contract {

		@Override
		public void send(String order) {
			RUNS.add("send " + order);
		}

	}

	static class Base {

		public void base(String order) {
			RUNS.add("base " + order);
		}

	}

	@Idempotent(key = "#order")
	static class Extending extends Base {

		public void own(String order) {
			RUNS.add("own " + order);
		}

	}

	@Idempotent(key = "#order")
	static class Unsuitable {

		public void other(String message) {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@Idempotent(key = "#user", whenCompleted = WhenCompleted.REJECT)
	@interface OnlyOnce {

		@AliasFor(annotation = Idempotent.class, attribute = "message")
		String hint();

	}

	static class Mails {

		@OnlyOnce(hint = "Sent before")
		public void send(String user) {
			RUNS.add(user);
		}

	}

	static class Transfers {

		@Idempotent(key = "#id", condition = "#amount > 100")
		public int transfer(String id, int amount) {
			RUNS.add(id);
			return RUNS.size();
		}

		@Idempotent(key = "#id", condition = "#id")
		public void undecided(String id) {
			RUNS.add(id);
		}

	}

}
