package io.idempotent.boot;

import java.util.List;

import io.idempotent.webmvc.internal.key.TokenEndpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler method of the application at the path of the token endpoint stays the only
 * one there.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class TokenPathConflictTests {

	private static final String WARNING = ", so the token endpoint is not there";

	@Test
	void aGetMappingAtTheTokenPathIsReportedAndKept(CapturedOutput output) {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(Logins.class))) {
			assertThat(context.getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
				.getHandlerMethods()
				.values()).noneMatch((handler) -> handler.getBeanType().equals(TokenEndpoint.class));
		}
		assertThat(output).contains("GET /token is mapped to Logins.token" + WARNING)
			.contains("idempotent.token.path to another path, or idempotent.token.enabled=false");
	}

	@Test
	void anotherHttpMethodAtTheTokenPathIsAccepted(CapturedOutput output) {
		start("idempotent.token.path=/login");
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void withoutTheEndpointThePathIsFree(CapturedOutput output) {
		start("idempotent.token.enabled=false");
		assertThat(output).doesNotContain(WARNING);
	}

	private static void start(String... properties) {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(Logins.class), properties)) {
			assertThat(context.isRunning()).isTrue();
		}
	}

	@RestController
	static class Logins {

		@GetMapping("/token")
		String token() {
			return "mine";
		}

		@PostMapping("/login")
		String login() {
			return "welcome";
		}

	}

}
