package io.idempotent.boot;

import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.grpc.stub.StreamObserver;
import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.support.StartUpException;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An {@link Idempotent} that cannot work stops the application before anything runs, and
 * what it says names the method, the value, the reason and the way out.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE, properties = "idempotent.store.type=local")
class InvalidIdempotentTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Autowired
	private IdempotentMethods methods;

	@Test
	void transactionsThatBeginInsideTheBodyFailTheStart() {
		this.runner.withConfiguration(AutoConfigurations.of(LateTransactions.class))
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOf(StartUpException.class)
				.hasMessageContaining("is outside of transactions"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			noKey | has no key | key = "#order.id"
			unparsable | "#id +* 1" does not parse |
			noParameter | names #user | are [id]
			nothingToCompare | The comparison expression "#user" names #user |
			unknownVariable | condition expression "#absent > 1" | are [id]: a class names them
			calling | condition |
			soon | lease "soon" is not a duration |
			suspending | is a suspend function | recorded before the work is done
			observed | a StreamObserver of gRPC | does the work and returns the answer
			later | returns a java.util.concurrent.CompletableFuture | annotate the method that does the work
			sometime | returns a java.util.concurrent.Future |
			reactive | returns a reactor.core.publisher.Mono |
			anyObject | java.lang.Object cannot be stored | Return a type of your own
			stream | a result of type java.io.InputStream cannot be stored | once only
			variable | the type T is not known here |
			asking | no OutcomeVerifier bean | RERUN or REJECT
			counting | returns int | acknowledged without a result
			both | @ApiIdempotent as well | choose one of the two
			""")
	void anAnnotationThatCannotWorkIsRefused(String method, String reason, @Nullable String more) {
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> check(method))
			.withMessageContainingAll("@Idempotent Invalid." + method, reason, (more != null) ? more : "");
	}

	@Test
	void twoOperationsCannotHaveOneName() {
		check("twin");
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> check("other"))
			.withMessageContainingAll("Invalid.other has the name 'twin', which belongs to", "Invalid.twin", "already");
	}

	private void check(String method) {
		this.methods.check(ReflectionUtils.findMethod(Invalid.class, method, (Class<?>[]) null), Invalid.class);
	}

	@Test
	void anOperationOfAGeneratedClassIsNamedAfterItsInterface() {
		this.runner
			.withBean(Till.class,
					() -> (Till) Proxy.newProxyInstance(Till.class.getClassLoader(),
							new Class<?>[] { Runnable.class, Till.class }, (proxy, method, arguments) -> 1))
			.withBean(Shelf.class, () -> (id) -> 2)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(Till.class).pay("7")).isEqualTo(1);
				assertThat(context.getBean(Shelf.class).fill("8")).isEqualTo(2);
				assertThat(context.getBean(IdempotentMethods.class).known()).extracting("operation")
					.containsOnly("Till.pay", "Shelf.fill");
			});
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
	@Tag("slow")
	void aNameOfAHandlerMethodIsTaken() {
		assertThat(StartUp.failure(Namesakes.class)).isInstanceOf(StartUpException.class)
			.hasMessageContainingAll("@Idempotent Namesakes.two has the name 'same'", "which belongs to",
					"Namesakes.one", "Give one of them another name");
	}

	@Test
	void aFinalClassFailsTheStart() {
		this.runner.withBean(FinalClass.class)
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(StartUpException.class)
				.rootCause()
				.hasMessageContainingAll("FinalClass.run is final", "Remove 'final' from the class"));
	}

	@Test
	void aMethodThatCannotBeInterceptedIsRefused() {
		refuses(this.runner, FinalMethod.class, "FinalMethod.run is final", "nothing would make it idempotent");
	}

	@Test
	void withoutDatabindResultsCannotBeStored() {
		ApplicationContextRunner bare = this.runner.withInitializer((context) -> context.addBeanFactoryPostProcessor(
				(beans) -> ((BeanDefinitionRegistry) beans).removeBeanDefinition("io.idempotent.idempotencyCallJson")));
		refuses(bare, Returning.class, "Returning.run", "returns java.lang.String",
				"no tools.jackson.core:jackson-databind on the class path", "return nothing");
		bare.withBean(Fine.class).run((context) -> assertThat(context).hasNotFailed());
	}

	private static void refuses(ApplicationContextRunner runner, Class<?> bean, String... message) {
		runner.withBean(bean)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll(message));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
			IdempotencyCallAutoConfiguration.class })
	static class Application {

	}

	interface Invalid {

		@Idempotent(key = "")
		void noKey(String id);

		@Idempotent(key = "#id +* 1")
		void unparsable(String id);

		@Idempotent(key = "#user")
		void noParameter(String id);

		@Idempotent(key = "#id", compare = "#user")
		void nothingToCompare(String id);

		@Idempotent(key = "#id", condition = "#absent > 1")
		void unknownVariable(String id);

		@Idempotent(key = "#id", condition = "T(java.lang.Math).random() > 0.5")
		void calling(String id);

		@Idempotent(key = "#id", lease = "soon")
		void soon(String id);

		/** What Kotlin makes of {@code suspend fun suspending(id: String): String}. */
		@Idempotent(key = "#id")
		Object suspending(String id, Continuation<String> continuation);

		@Idempotent(key = "#id")
		void observed(String id, StreamObserver<String> observer);

		@Idempotent(key = "#id")
		CompletableFuture<String> later(String id);

		@Idempotent(key = "#id", whenCompleted = WhenCompleted.REJECT)
		Future<String> sometime(String id);

		@Idempotent(key = "#id")
		Mono<String> reactive(String id);

		@Idempotent(key = "#id")
		Object anyObject(String id);

		@Idempotent(key = "#id")
		InputStream stream(String id);

		@Idempotent(key = "#id")
		<T> T variable(T id);

		@Idempotent(key = "#id", whenUnknown = WhenUnknown.ASK)
		void asking(String id);

		@MessageMapping
		@Idempotent(key = "#id")
		int counting(String id);

		@ApiIdempotent(KeySource.HEADER)
		@Idempotent(key = "#id")
		String both(String id);

		@Idempotent(key = "#id", name = "twin")
		void twin(String id);

		@Idempotent(key = "#id", name = "twin")
		void other(String id);

	}

	@AutoConfiguration(after = IdempotencyCallAutoConfiguration.class)
	static class LateTransactions {

		@Bean
		static DefaultPointcutAdvisor lateTransactions() {
			return new DefaultPointcutAdvisor(AnnotationMatchingPointcut.forMethodAnnotation(Transactional.class),
					new TransactionInterceptor());
		}

	}

	interface Till {

		@Idempotent(key = "#id")
		int pay(String id);

	}

	interface Shelf {

		@Idempotent(key = "#id")
		int fill(String id);

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

}
