package io.idempotent.boot;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.support.StartUpException;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is checked of handler methods before anybody relies on them.
 */
@ExtendWith(OutputCaptureExtension.class)
class HandlerChecksTests {

	private static final String WARNING = "The callers of HTTP operations cannot be distinguished";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
				WebMvcAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Test
	void aHandlerMethodMayImplementAGenericOne() {
		this.runner.withUserConfiguration(ParcelShelf.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aClassMayHaveOtherMethodsThanHandlers() {
		this.runner.withUserConfiguration(Whole.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aClassWithoutAnOperationIsRefused() {
		this.runner.withUserConfiguration(OnlyReading.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("@ApiIdempotent class OnlyReading declares no method that handles a request"));
	}

	@Test
	void aMetaAnnotationIsFound() {
		this.runner.withUserConfiguration(OwnAnnotation.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("@ApiIdempotent OwnAnnotation.create handles no request", "of Spring Data REST"));
	}

	@ParameterizedTest
	@ValueSource(classes = { ProxyClient.class, ClientFactory.class, MockClient.class, Fallback.class })
	void aClientMayShareTheInterfaceOfItsServer(Class<?> client, CapturedOutput output) {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(IdempotencyCallAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("idempotent.lock.engines=local")
			.withUserConfiguration(client)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				SharedContract bean = context.getBean(SharedContract.class);
				assertThat(AopUtils.isAopProxy(bean)).as("the server's annotations are for the server").isFalse();
				assertThat(output).contains("@Idempotent has no effect on ", ".call: an interface maps these methods",
						"@DistributedLocked has no effect on ", ".locked: ", "the method of another bean");
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { PrivateSibling.class, FinalSibling.class, PrivateExceptionHandler.class })
	void aHandlerThatAProxyCannotPassOnIsRefused(Class<?> controller) {
		ApplicationContextRunner locks = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("idempotent.lock.engines=local");
		locks.withUserConfiguration(controller)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll(controller.getSimpleName() + ".sibling is ", "the fields of a proxy are null",
						"Remove '"));
	}

	@Test
	void aFinalMethodBesideAnAnnotatedOneIsLogged(CapturedOutput output) {
		this.runner.withConfiguration(AutoConfigurations.of(IdempotencyCallAutoConfiguration.class))
			.withUserConfiguration(FinalMethod.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).containsOnlyOnce(FinalMethod.class.getName() + " has a proxy for")
					.contains("the final methods first, second: they run on the proxy itself");
			});
	}

	@Test
	void aProxyThatHidesTheMappingsIsRefused() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(IdempotencyCallAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("idempotent.lock.engines=local", "spring.aop.proxy-target-class=false")
			.withUserConfiguration(Hidden.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll("The controller Hidden handles no request",
						"Set spring.aop.proxy-target-class=true"));
	}

	@Test
	void aServerMayShareTheInterfaceOfItsClient() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(IdempotencyCallAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("idempotent.lock.engines=local")
			.withUserConfiguration(SharedServer.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(AopUtils.isAopProxy(context.getBean(SharedContract.class))).isTrue();
			});
	}

	@Test
	void withoutKnownCallersReplayingOperationsAreLogged(CapturedOutput output) {
		this.runner.withUserConfiguration(Orders.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce(WARNING)
				.contains("[Orders.byContent, Orders.byHeader]", "Define a CallerResolver bean",
						"idempotent.web.bind-to-session=true");
		});
	}

	@Test
	void aResolverDistinguishesCallers(CapturedOutput output) {
		this.runner.withUserConfiguration(Orders.class)
			.withBean(CallerResolver.class, () -> (request) -> Caller.ANONYMOUS)
			.run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	@Test
	void springSecurityDistinguishesCallers(CapturedOutput output) {
		this.runner.withUserConfiguration(Orders.class)
			.withBean("springSecurityFilterChain", Object.class, Object::new)
			.run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	@Test
	void aSessionDistinguishesCallers(CapturedOutput output) {
		this.runner.withUserConfiguration(Orders.class)
			.withPropertyValues("idempotent.web.bind-to-session=true")
			.run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	@Test
	void thereIsNoWarningIfNoAnswerReachesAnotherCaller(CapturedOutput output) {
		this.runner.withUserConfiguration(Tokens.class).run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	static class Locked {

		@DistributedLocked
		@PostMapping("/locked")
		public void locked() {
		}

	}

	@RestController
	static class PrivateSibling extends Locked {

		@GetMapping("/sibling")
		private void sibling() {
		}

	}

	@RestController
	static class FinalSibling extends Locked {

		@GetMapping("/sibling")
		public final void sibling() {
		}

	}

	@RestController
	static class PrivateExceptionHandler extends Locked {

		@ExceptionHandler(IllegalStateException.class)
		private void sibling() {
		}

	}

	static class FinalMethod {

		@Idempotent(key = "#id")
		public void run(String id) {
		}

		public final void second() {
		}

		protected final void first() {
			hidden();
		}

		private void hidden() {
		}

	}

	@RestController
	static class Hidden extends Locked implements Runnable {

		@Override
		public void run() {
		}

	}

	@HttpExchange("/shared")
	interface SharedContract {

		@ApiIdempotent
		@PostExchange("/exchange")
		String exchange();

		@ApiIdempotent
		@PostMapping("/feign")
		String feign();

		@Idempotent(key = "#id")
		@PostExchange("/call/{id}")
		String call(@PathVariable String id);

		@DistributedLocked(name = "shared", key = "#id")
		@PostExchange("/locked/{id}")
		String locked(@PathVariable String id);

	}

	@ApiIdempotent
	@HttpExchange("/class")
	interface SharedClass extends SharedContract {

		@PostExchange("/create")
		String create();

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxyClient {

		@Bean
		SharedClass client() {
			return ClientFactory.proxy();
		}

	}

	static class ClientFactory implements FactoryBean<SharedContract> {

		static SharedClass proxy() {
			return (SharedClass) Proxy.newProxyInstance(SharedClass.class.getClassLoader(),
					new Class<?>[] { SharedClass.class }, (proxy, method, arguments) -> null);
		}

		@Override
		public SharedContract getObject() {
			return proxy();
		}

		@Override
		public Class<?> getObjectType() {
			return SharedClass.class;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MockClient {

		@Bean
		SharedContract client() {
			return Mockito.mock();
		}

	}

	static class Fallback implements SharedContract {

		@Override
		public String exchange() {
			return "later";
		}

		@Override
		public String feign() {
			return "later";
		}

		@Override
		public String call(String id) {
			return "later";
		}

		@Override
		public String locked(String id) {
			return "later";
		}

	}

	@RestController
	static class SharedServer extends Fallback {

	}

	@RestController
	@ApiIdempotent
	static class Whole {

		@PostMapping("/whole")
		public String create() {
			return helper();
		}

		@GetMapping("/whole")
		SseEmitter list() {
			return new SseEmitter();
		}

		public String helper() {
			return "created";
		}

	}

	@RestController
	@ApiIdempotent
	static class OnlyReading {

		@GetMapping("/reading")
		String list() {
			return "list";
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@ApiIdempotent
	@interface Once {

	}

	static class OwnAnnotation {

		@Once
		void create() {
		}

	}

	abstract static class Shelf<T> {

		@ApiIdempotent
		@PostMapping("/shelf")
		abstract T put(@RequestBody T thing);

	}

	@RestController
	static class ParcelShelf extends Shelf<StringBuilder> {

		@Override
		StringBuilder put(@RequestBody StringBuilder thing) {
			return thing;
		}

	}

	@RestController
	static class Orders {

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/header")
		String byHeader() {
			return "";
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/content")
		String byContent() {
			return "";
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT)
		@PostMapping("/rejecting")
		String rejecting() {
			return "";
		}

		@ApiIdempotent
		@PostMapping("/token-order")
		String byToken() {
			return "";
		}

	}

	@RestController
	static class Tokens {

		@ApiIdempotent
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

}
