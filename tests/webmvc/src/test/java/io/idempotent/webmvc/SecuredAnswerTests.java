package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What of an answer is replayed where Spring Security has a say in it too.
 */
class SecuredAnswerTests {

	@RegisterExtension
	static final TestServer server = TestServer.secured(List.of(Security.class, Orders.class, Log.class));

	@ParameterizedTest
	@ValueSource(strings = { "/at-once", "/later" })
	void onlyHeadersOfTheOperationAreReplayed(String path) {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = server.submit(path, key);
		HttpResponse<byte[]> second = server.submit(path, key);
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(TestServer.header(second, "X-Order-Id")).isEqualTo("7");
		assertThat(TestServer.header(second, "Cache-Control")).isEqualTo(TestServer.header(first, "Cache-Control"));
		assertThat(second.headers().allValues("Link")).as("the filter speaks for itself")
			.hasSize(1)
			.isNotEqualTo(first.headers().allValues("Link"));
		assertThat(second.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
	}

	@Test
	void theTokenEndpointWorksWithAnAspectAroundAllControllers() {
		assertThat(server.token()).isNotEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	static class Security {

		private static final AtomicInteger answers = new AtomicInteger();

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.headers((headers) -> headers.addHeaderWriter(
						(request, response) -> response.setHeader("Link", "</" + answers.incrementAndGet() + ">")))
				.build();
		}

	}

	@RestController
	static class Orders {

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/at-once")
		ResponseEntity<String> atOnce() {
			return ResponseEntity.ok().header("X-Order-Id", "7").body("done");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/later")
		Callable<ResponseEntity<String>> later() {
			return this::atOnce;
		}

	}

	/**
	 * As many applications have it.
	 */
	@Aspect
	static class Log {

		@Before("@within(org.springframework.stereotype.Controller)")
		void call() {
			// Says nothing.
		}

	}

}
