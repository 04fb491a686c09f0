package io.idempotent.boot;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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
 * An annotation that nothing would act on is told before anybody relies on it.
 */
class StrayAnnotationCheckTests {

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
				WebMvcAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Test
	void aHandlerMethodIsAccepted() {
		this.runner.withUserConfiguration(Mapped.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aHandlerMethodMayInheritTheAnnotation() {
		this.runner.withUserConfiguration(Inheriting.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aHandlerMethodMayImplementAGenericOne() {
		this.runner.withUserConfiguration(ParcelShelf.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aServiceMethodIsRefused() {
		this.runner.withUserConfiguration(Service.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("@ApiIdempotent Service.create handles no request"));
	}

	@Test
	void aControllerMethodWithoutAMappingIsRefused() {
		this.runner.withUserConfiguration(Unmapped.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("@ApiIdempotent Unmapped.helper handles no request"));
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
				.hasMessageContaining("@ApiIdempotent OwnAnnotation.create handles no request"));
	}

	@Test
	void aHandlerOfAClassMustNotStream() {
		this.runner.withUserConfiguration(StreamingClass.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("@ApiIdempotent StreamingClass.send returns SseEmitter"));
	}

	@ParameterizedTest
	@ValueSource(classes = { ProxyClient.class, ClientFactory.class, MockClient.class, Fallback.class })
	void aClientMayShareTheInterfaceOfItsServer(Class<?> client) {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(IdempotencyCallAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("idempotent.lock.engines=local")
			.withUserConfiguration(client)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				SharedContract bean = context.getBean(SharedContract.class);
				assertThat(AopUtils.isAopProxy(bean)).as("the server's annotations are for the server").isFalse();
			});
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

	@RestController
	@ApiIdempotent
	static class StreamingClass {

		@PostMapping("/streaming")
		SseEmitter send() {
			return new SseEmitter();
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

	@RestController
	static class Mapped {

		@ApiIdempotent
		@PostMapping("/mapped")
		String create() {
			return "created";
		}

	}

	interface Contract {

		@ApiIdempotent
		@PostMapping("/inherited")
		String create();

	}

	@RestController
	static class Inheriting implements Contract {

		@Override
		public String create() {
			return "created";
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

	static class Service {

		@ApiIdempotent
		String create() {
			return "created";
		}

	}

	@RestController
	static class Unmapped {

		@ApiIdempotent
		String helper() {
			return "helped";
		}

	}

}
