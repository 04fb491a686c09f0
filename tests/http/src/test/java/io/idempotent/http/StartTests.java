package io.idempotent.http;

import io.idempotent.ApiIdempotent;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What starts without the starter starts with it.
 */
@Tag("slow")
class StartTests {

	private final WebApplicationContextRunner context = new WebApplicationContextRunner()
		.withUserConfiguration(AutoConfigured.class)
		.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");

	@Test
	void startsWithAnAspectForAllControllers() {
		this.context.withUserConfiguration(AroundControllers.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void startsWithAnImplementationOfAGenericHandler() {
		this.context.withUserConfiguration(ParcelShelf.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class AutoConfigured {

	}

	@Aspect
	static class AroundControllers {

		@Before("@within(org.springframework.web.bind.annotation.RestController)")
		void look() {
		}

	}

	abstract static class Shelf<T> {

		@PostMapping("/store")
		@ApiIdempotent
		abstract T store(@RequestBody T thing);

	}

	@RestController
	static class ParcelShelf extends Shelf<Parcel> {

		@Override
		Parcel store(Parcel thing) {
			return thing;
		}

	}

}
