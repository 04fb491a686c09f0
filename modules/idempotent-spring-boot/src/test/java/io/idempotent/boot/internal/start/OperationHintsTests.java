package io.idempotent.boot.internal.start;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.lock.DistributedLocked;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

class OperationHintsTests {

	private static RuntimeHints hints;

	@BeforeAll
	static void processAheadOfTime() {
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBean(Operations.class);
		context.registerBean(Annotated.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(OperationHintsTests.class)), new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		hints = generation.getRuntimeHints();
	}

	@Test
	void theAnnotatedMethodCanBeInvoked() {
		assertThat(List.of("book", "pay", "audit", "plain")).filteredOn((name) -> isInvocable(Operations.class, name))
			.containsExactly("book", "pay", "audit");
	}

	@Test
	void anAnnotationOfTheClassCounts() {
		assertThat(isInvocable(Annotated.class, "ship")).isTrue();
		assertThat(isReadable(Parcel.class, "number")).isTrue();
	}

	@Test
	void aMetaAnnotationCountsWithItsAliases() {
		assertThat(isInvocable(Annotated.class, "refund")).isTrue();
		assertThat(isReadable(Refund.class, "id")).isTrue();
		assertThat(isReadable(Refunded.class, "id")).as("its result").isTrue();
		assertThat(isReadable(Unaliased.class, "id")).as("named by the overridden default").isFalse();
	}

	@Test
	void theKeyCanBeReadFromAnArgument() {
		assertThat(isReadable(Booking.class, "customer")).isTrue();
		assertThat(isReadable(Customer.class, "name")).as("of an argument's property").isTrue();
		assertThat(isReadable(Audit.class, "entries")).as("of a lock").isTrue();
		assertThat(isReadable(Entry.class, "id")).as("of an element").isTrue();
	}

	@Test
	void theResultCanBeWrittenAndRestored() {
		assertThat(isReadable(Paid.class, "amount")).isTrue();
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(Paid.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
	}

	@Test
	void argumentsThatNoExpressionReadsAreLeftOut() {
		assertThat(RuntimeHintsPredicates.reflection().onType(Unread.class)).rejects(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(HttpServletRequest.class)).rejects(hints);
	}

	private static boolean isInvocable(Class<?> type, String name) {
		Method method = ReflectionUtils.findMethod(type, name, (Class<?>[]) null);
		return RuntimeHintsPredicates.reflection().onMethodInvocation(method).test(hints);
	}

	private static boolean isReadable(Class<?> type, String property) {
		Method accessor = ReflectionUtils.findMethod(type, property);
		return RuntimeHintsPredicates.reflection().onMethodInvocation(accessor).test(hints);
	}

	static class Operations {

		@ApiIdempotent(key = "#booking.customer.name")
		public void book(Booking booking, HttpServletRequest request) {
		}

		@Idempotent(key = "#id")
		public List<Paid> pay(String id, Unread details) {
			return List.of();
		}

		@DistributedLocked(name = "audit", key = { "#audit.entries[0].id" })
		public void audit(Audit audit) {
		}

		public void plain(Unread unread) {
		}

	}

	@ApiIdempotent(key = "#parcel.number")
	static class Annotated {

		public void ship(Parcel parcel) {
		}

		@Once("#refund.id")
		public Refunded refund(Refund refund, Unaliased other) {
			return new Refunded(refund.id());
		}

	}

	@Idempotent(key = "#other.id")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Once {

		@AliasFor(annotation = Idempotent.class, attribute = "key")
		String value();

	}

	record Parcel(String number) {
	}

	record Refund(String id) {
	}

	record Refunded(String id) {
	}

	record Unaliased(String id) {
	}

	record Booking(Customer customer) {
	}

	record Customer(String name) {
	}

	record Paid(BigDecimal amount) {
	}

	record Audit(List<Entry> entries) {
	}

	record Entry(String id) {
	}

	record Unread(String text) {
	}

}
