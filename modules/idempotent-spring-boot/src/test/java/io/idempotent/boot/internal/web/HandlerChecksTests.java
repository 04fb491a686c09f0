package io.idempotent.boot.internal.web;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the log says at the start of who counts as a caller.
 */
@ExtendWith(OutputCaptureExtension.class)
class HandlerChecksTests {

	private static final String WARNING = "The callers of HTTP operations cannot be distinguished";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
				WebMvcAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyWebMvcAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

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
			.run((context) -> {
				assertThat(output).doesNotContain(WARNING);
				assertThat(HandlerChecks.caller(context, false)).isEqualTo("given by the CallerResolver bean");
			});
	}

	@Test
	void springSecurityDistinguishesCallers(CapturedOutput output) {
		this.runner.withUserConfiguration(Orders.class)
			.withBean("springSecurityFilterChain", Object.class, Object::new)
			.run((context) -> {
				assertThat(output).doesNotContain(WARNING);
				assertThat(HandlerChecks.caller(context, false))
					.isEqualTo("the authenticated principal of Spring Security");
			});
	}

	@Test
	void aSessionDistinguishesCallers(CapturedOutput output) {
		this.runner.withUserConfiguration(Orders.class)
			.withPropertyValues("idempotent.web.bind-to-session=true")
			.run((context) -> {
				assertThat(output).doesNotContain(WARNING);
				assertThat(HandlerChecks.caller(context, true)).isEqualTo(
						"the principal if a filter sets one, since there is no Spring Security, and its session");
			});
	}

	@Test
	void thereIsNoWarningIfNoAnswerReachesAnotherCaller(CapturedOutput output) {
		this.runner.withUserConfiguration(Tokens.class).run((context) -> assertThat(output).doesNotContain(WARNING));
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
