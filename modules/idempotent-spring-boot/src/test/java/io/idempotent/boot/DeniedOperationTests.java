package io.idempotent.boot;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operation that Spring Security denies from within, where errors are replayed: the
 * status that the client sees is written outside of what is recorded.
 */
class DeniedOperationTests {

	@Test
	void aDenialIsNotReplayedAsA500() {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.run("--server.port=0", "--idempotent.store.type=local", "--idempotent.web.profile=stripe")) {
			assertThat(post(application).statusCode()).isEqualTo(403);
			HttpResponse<String> repeat = post(application);
			assertThat(repeat.statusCode()).isEqualTo(403);
			assertThat(repeat.headers().firstValue("Idempotent-Replayed")).isEmpty();
		}
	}

	private static HttpResponse<String> post(ConfigurableApplicationContext application) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return HttpClient.newHttpClient()
			.sendAsync(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/denied"))
				.header("Idempotency-Key", "one")
				.POST(BodyPublishers.noBody())
				.build(), BodyHandlers.ofString())
			.join();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Denied.class)
	static class Application {

		@Bean
		SecurityFilterChain security(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.csrf(AbstractHttpConfigurer::disable)
				.build();
		}

	}

	@RestController
	static class Denied {

		@PostMapping("/denied")
		@ApiIdempotent(KeySource.HEADER)
		String denied() {
			throw new AccessDeniedException("not yours");
		}

	}

}
