package io.idempotent.method;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * {@link Idempotent} on classes, as a meta-annotation, with a condition and a message.
 */
class AnnotatedBeanTests {

	private static final List<String> RUNS = new ArrayList<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, JacksonAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	private <T> void run(Class<T> type, Use<T> use) {
		RUNS.clear();
		this.runner.withBean(type).run((context) -> use.accept(context.getBean(type)));
	}

	private void fails(Class<?> type, String... parts) {
		this.runner.withBean(type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll(parts));
	}

	interface Use<T> {

		void accept(T bean) throws Exception;

	}

	@Nested
	class OnClasses {

		@Test
		void aPublicMethodRunsOnceForEachKey() {
			run(Charges.class, (charges) -> {
				charges.charge("a");
				charges.charge("a");
				charges.refund("a");
				charges.charge("b");
				assertThat(RUNS).containsExactly("charge a", "refund a", "charge b");
			});
		}

		@Test
		void aPackagePrivateMethodRunsOnceForEachKey() {
			run(Charges.class, (charges) -> {
				charges.inPackage("a");
				charges.inPackage("a");
				assertThat(RUNS).containsExactly("package a");
			});
		}

		@Test
		void methodsOfObjectAndPrivateOnesAreNoOperations() {
			run(Charges.class, (charges) -> assertThat(charges).hasToString("charges"));
		}

		@Test
		void theAnnotationOfTheMethodWinsEntirely() {
			run(Charges.class, (charges) -> {
				charges.own("a", "x");
				charges.own("b", "x");
				assertThat(RUNS).containsExactly("own a");
			});
		}

		@Test
		void aSelfInvocationIsNotIntercepted() {
			run(Charges.class, (charges) -> {
				charges.twice("a");
				assertThat(RUNS).containsExactly("charge inner", "charge inner");
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

		@Test
		void aFinalMethodIsRefused() {
			fails(Sealed.class, "@Idempotent Sealed.fixed", "final");
		}

		@Test
		void bothAnnotationsTogetherAreRefused() {
			fails(Both.class, "@Idempotent Both.create", "@ApiIdempotent as well");
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

		@Test
		void itIsCheckedAtTheStart() {
			fails(UnknownVariable.class, "@Idempotent UnknownVariable.run", "condition expression \"#absent > 1\"",
					"the parameters of the method are [id]");
			fails(Calling.class, "@Idempotent Calling.run", "condition");
		}

	}

	@Idempotent(key = "#order")
	static class Charges {

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

		public void twice(String order) {
			charge("inner");
			charge("inner");
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

	@Idempotent(key = "#order")
	static class Sealed {

		public final void fixed(String order) {
		}

	}

	@Controller
	@Idempotent(key = "#order")
	static class Both {

		@ApiIdempotent
		public void create(String order) {
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

	static class UnknownVariable {

		@Idempotent(key = "#id", condition = "#absent > 1")
		public void run(String id) {
		}

	}

	static class Calling {

		@Idempotent(key = "#id", condition = "T(java.lang.Math).random() > 0.5")
		public void run(String id) {
		}

	}

}
