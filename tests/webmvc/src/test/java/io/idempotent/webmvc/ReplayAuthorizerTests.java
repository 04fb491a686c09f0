package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application may authorise a replay itself.
 */
@Tag("slow")
class ReplayAuthorizerTests {

	@RegisterExtension
	static final TestServer server = TestServer.secured(List.of(TestSecurity.class, Accounts.class));

	@ParameterizedTest
	@ValueSource(strings = { "/header", "/content" })
	void aCallerWhoseAccessWasRevokedDoesNotGetTheAnswer(String path) {
		String key = UUID.randomUUID().toString();
		int before = Accounts.runs.get();
		assertThat(submit(path, key).statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(submit(path, key))).isTrue();
		Accounts.barred.add("ann");
		try {
			HttpResponse<byte[]> refused = submit(path, key);
			assertThat(refused.statusCode()).isEqualTo(403);
			assertThat(TestServer.text(refused)).doesNotContain("balance");
			assertThat(TestServer.isReplayed(refused)).isFalse();
		}
		finally {
			Accounts.barred.clear();
		}
		assertThat(TestServer.isReplayed(submit(path, key))).isTrue();
		assertThat(Accounts.runs).hasValue(before + 1);
	}

	private static HttpResponse<byte[]> submit(String path, String key) {
		return server.send(
				TestSecurity.as("ann", server.post(path, "{\"key\":\"" + key + "\"}").header("Idempotency-Key", key)));
	}

	@RestController
	@EnableResilientMethods
	static class Accounts {

		static final Set<String> barred = ConcurrentHashMap.newKeySet();

		static final AtomicInteger runs = new AtomicInteger();

		@Bean
		static ReplayAuthorizer authorizer() {
			return new ReplayAuthorizer() {

				@Override
				public void authorize(IdempotencyContext context, HttpServletRequest request) {
					assertThat(context.isReplay()).isTrue();
					if (barred.contains(request.getRemoteUser())) {
						throw new AccessDeniedException(context.operation());
					}
				}

			};
		}

		@PostMapping("/header")
		@ApiIdempotent(KeySource.HEADER)
		String header() {
			return "balance " + runs.incrementAndGet();
		}

		@PostMapping("/content")
		@ApiIdempotent(key = "#request.key")
		@Retryable(maxRetries = 2)
		String content(@RequestBody Request request) {
			return "balance " + runs.incrementAndGet();
		}

	}

	/**
	 * What is asked for.
	 */
	public record Request(String key) {
	}

}
