package io.idempotent.boot;

import io.idempotent.ApiIdempotent;
import io.idempotent.support.InvalidAnnotationException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

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
	void aHandlerMethodIsWhereItBelongs() {
		this.runner.withUserConfiguration(Mapped.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aHandlerMethodMayInheritItFromAnInterface() {
		this.runner.withUserConfiguration(Inheriting.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aHandlerMethodMayMakeAGenericOneConcrete() {
		this.runner.withUserConfiguration(ParcelShelf.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aServiceMethodHandlesNoRequest() {
		this.runner.withUserConfiguration(Service.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidAnnotationException.class)
				.hasMessageContaining("@ApiIdempotent Service.create handles no request"));
	}

	@Test
	void aControllerMethodWithoutAMappingHandlesNoRequest() {
		this.runner.withUserConfiguration(Unmapped.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidAnnotationException.class)
				.hasMessageContaining("@ApiIdempotent Unmapped.helper handles no request"));
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
