package io.idempotent.boot;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.grpc.stub.StreamObserver;
import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.support.StartUpException;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An {@link Idempotent} that cannot work stops the application before anything runs, and
 * what it says names the method, the value, the reason and the way out.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class InvalidIdempotentTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Test
	void anOperationWithoutAKeyIsRefused() {
		refuses(NoKey.class, "NoKey.run", "has no key", "key = \"#order.id\"");
	}

	@Test
	void anExpressionMustParse() {
		refuses(Unparsable.class, "Unparsable.run", "\"#id +* 1\" does not parse");
	}

	@Test
	void anExpressionMayOnlyNameParameters() {
		refuses(NoParameter.class, "NoParameter.run", "names #user", "are [id]");
	}

	@Test
	void aComparisonMayOnlyNameParameters() {
		refuses(NothingToCompare.class, "NothingToCompare.run", "The comparison expression \"#user\" names #user");
	}

	@Test
	void aTimeMustParse() {
		refuses(Soon.class, "Soon.run", "lease \"soon\" is not a duration");
	}

	@Test
	void aPropertyOfTheOperationMustFit() {
		this.runner.withBean(Fine.class)
			.withPropertyValues("idempotent.operations[Fine.run].lease=-1s")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessage("idempotent.operations[Fine.run].lease is '-1s', but it must be positive. "
						+ "Give a time such as 30s"));
	}

	@Test
	void twoOperationsCannotHaveOneName() {
		refuses(Twins.class, "Twins.", "has the name 'twin', which belongs to", "already");
	}

	@Test
	void aNameOfAHandlerMethodIsTaken(CapturedOutput output) {
		assertThat(StartUp.failure(Namesakes.class)).isInstanceOf(StartUpException.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "@Idempotent Namesakes.two has the name 'same'",
				"which belongs to", "Namesakes.one", "Give one of them another name");
	}

	@Test
	void aHandlerMethodCannotCarryBothAnnotations(CapturedOutput output) {
		assertThat(StartUp.failure(BothEntrances.class)).isInstanceOf(StartUpException.class);
		assertThat(output).contains("BothEntrances.create", "@ApiIdempotent as well", "choose one of the two");
	}

	@Test
	void aFinalClassHasNoProxy() {
		assertThat(StartUp.failure(FinalClass.class)).hasStackTraceContaining("AopConfigException");
	}

	@Test
	void aSuspendFunctionReturnsBeforeItsWorkIsDone() {
		refuses(Suspending.class, "Suspending.run", "is a suspend function", "recorded before the work is done",
				"not suspending");
	}

	@Test
	void aMethodOfAGrpcServiceAnswersLater() {
		refuses(Observed.class, "Observed.run", "a StreamObserver of gRPC", "does the work and returns the answer");
	}

	@Test
	void aFinalMethodIsRefused() {
		refuses(FinalMethod.class, "FinalMethod.run is final", "nothing would make it idempotent");
	}

	@Test
	void aPrivateMethodIsRefused() {
		refuses(PrivateMethod.class, "PrivateMethod.run is private");
	}

	@Test
	void missingProxiesAreRefused(CapturedOutput output) {
		assertThat(StartUp.failure(Fine.class, "spring.aop.auto=false",
				"spring.autoconfigure.exclude=" + TransactionAutoConfiguration.class.getName()))
			.isInstanceOf(StartUpException.class);
		assertThat(output).contains("@Idempotent Fine.run needs a proxy", "Leave spring.aop.auto switched on");
	}

	@Test
	void anAsynchronousResultIsRefused() {
		refuses(Later.class, "Later.run", "returns a java.util.concurrent.CompletableFuture",
				"annotate the method that does the work");
		refuses(Sometime.class, "Sometime.run", "returns a java.util.concurrent.Future");
		refuses(Reactive.class, "Reactive.run", "returns a reactor.core.publisher.Mono");
	}

	@Test
	void aResultThatJsonCannotRestoreIsRefused() {
		refuses(AnyObject.class, "AnyObject.run", "java.lang.Object cannot be stored", "Return a type of your own");
		refuses(Maps.class, "Maps.run", "a result of type java.lang.Object cannot be stored");
		refuses(Streams.class, "Streams.run", "a result of type java.io.InputStream cannot be stored", "once only");
		refuses(Variable.class, "Variable.run", "the type T is not known here");
	}

	@Test
	void aResultThatIsNotReplayedNeedsNoJson() {
		this.runner.withBean(NotReplayed.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void withoutDatabindResultsCannotBeStored() {
		ApplicationContextRunner bare = this.runner.withInitializer((context) -> context.addBeanFactoryPostProcessor(
				(beans) -> ((BeanDefinitionRegistry) beans).removeBeanDefinition("io.idempotent.idempotencyCallJson")));
		bare.withBean(Returning.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll("Returning.run", "returns java.lang.String",
						"no tools.jackson.core:jackson-databind on the class path", "return nothing"));
		bare.withBean(Fine.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void verificationNeedsAVerifier() {
		refuses(Asking.class, "Asking.run", "no OutcomeVerifier bean", "RERUN or REJECT");
	}

	@Test
	void aListenerMustReturnVoidToAcknowledge() {
		refuses(Counting.class, "Counting.run", "returns int", "acknowledged without a result");
	}

	private void refuses(Class<?> bean, String... message) {
		refuses(bean, List.of(), message);
	}

	private void refuses(Class<?> bean, List<String> properties, String... message) {
		this.runner.withBean(bean)
			.withPropertyValues(properties.toArray(String[]::new))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll(message));
	}

	static class Fine {

		@Idempotent(key = "#id")
		void run(String id) {
		}

	}

	static class Returning {

		@Idempotent(key = "#id")
		String run(String id) {
			return id;
		}

	}

	/** What Kotlin makes of {@code suspend fun run(id: String): String}. */
	static class Observed {

		@Idempotent(key = "#id")
		void run(String id, StreamObserver<String> observer) {
		}

	}

	static class Suspending {

		@Idempotent(key = "#id")
		Object run(String id, Continuation<String> continuation) {
			return id;
		}

	}

	static class NoKey {

		@Idempotent(key = "")
		void run(String id) {
		}

	}

	static class Unparsable {

		@Idempotent(key = "#id +* 1")
		void run(String id) {
		}

	}

	static class NoParameter {

		@Idempotent(key = "#user")
		void run(String id) {
		}

	}

	static class NothingToCompare {

		@Idempotent(key = "#id", compare = "#user")
		void run(String id) {
		}

	}

	static class Soon {

		@Idempotent(key = "#id", lease = "soon")
		void run(String id) {
		}

	}

	static class Twins {

		@Idempotent(key = "#id", name = "twin")
		void one(String id) {
		}

		@Idempotent(key = "#id", name = "twin")
		void two(String id) {
		}

	}

	@RestController
	static class Namesakes {

		@ApiIdempotent(value = KeySource.HEADER, name = "same")
		@PostMapping("/orders")
		String one() {
			return "";
		}

		@Idempotent(key = "#id", name = "same")
		void two(String id) {
		}

	}

	@RestController
	static class BothEntrances {

		@ApiIdempotent(KeySource.HEADER)
		@Idempotent(key = "#sku")
		@PostMapping("/orders")
		String create(String sku) {
			return sku;
		}

	}

	static final class FinalClass {

		@Idempotent(key = "#id")
		void run(String id) {
		}

	}

	static class FinalMethod {

		@Idempotent(key = "#id")
		final void run(String id) {
		}

	}

	static class PrivateMethod {

		@Idempotent(key = "#id")
		@SuppressWarnings({ "UnusedMethod", "UnusedVariable" })
		private void run(String id) {
		}

	}

	static class Later {

		@Idempotent(key = "#id")
		CompletableFuture<String> run(String id) {
			return CompletableFuture.completedFuture(id);
		}

	}

	static class Sometime {

		@Idempotent(key = "#id", whenCompleted = WhenCompleted.REJECT)
		Future<String> run(String id) {
			return CompletableFuture.completedFuture(id);
		}

	}

	static class Reactive {

		@Idempotent(key = "#id")
		Mono<String> run(String id) {
			return Mono.just(id);
		}

	}

	static class AnyObject {

		@Idempotent(key = "#id")
		Object run(String id) {
			return id;
		}

	}

	static class Maps {

		@Idempotent(key = "#id")
		List<Map<String, Object>> run(String id) {
			return List.of();
		}

	}

	static class Streams {

		@Idempotent(key = "#id")
		InputStream run(String id) {
			return InputStream.nullInputStream();
		}

	}

	static class Variable {

		@Idempotent(key = "#id")
		<T> T run(T id) {
			return id;
		}

	}

	static class NotReplayed {

		@Idempotent(key = "#id", whenCompleted = WhenCompleted.REJECT)
		Object run(String id) {
			return id;
		}

	}

	static class Asking {

		@Idempotent(key = "#id", whenUnknown = WhenUnknown.ASK)
		void run(String id) {
		}

	}

	static class Counting {

		@MessageMapping
		@Idempotent(key = "#id")
		int run(String id) {
			return 1;
		}

	}

}
