package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers who are authenticated and have no name, and callers whom only the application
 * knows. A header of the test stands for what authenticated them.
 */
@ExtendWith(OutputCaptureExtension.class)
class NamelessCallerTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Application.class);

	@RegisterExtension
	static final TestServer resolving = TestServer.of(Resolving.class);

	@ParameterizedTest
	@ValueSource(strings = { "/header", "/content", "/expression", "/token-note" })
	void anAuthenticatedCallerWithoutANameIsRefused(String path) {
		String token = server.token();
		for (String nameless : new String[] { "none", "empty", "blank" }) {
			int written = CallerIsolationTests.Notes.written.get();
			HttpResponse<byte[]> response = server
				.send(note(server, path, "a").header("Idempotent-Token", token).header("X-Nameless", nameless));
			assertThat(response.statusCode()).isEqualTo(403);
			assertThat(TestServer.code(response)).isEqualTo("caller-unnamed");
			assertThat(CallerIsolationTests.Notes.written).hasValue(written);
		}
	}

	@Test
	void aCallerWithoutANameGetsNoToken() {
		HttpResponse<byte[]> response = server.send(server.request("/token").header("X-Nameless", "empty"));
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(TestServer.code(response)).isEqualTo("caller-unnamed");
	}

	@Test
	void theActionIsLoggedOnce(CapturedOutput output) {
		try (TestServer fresh = TestServer.start(server.redis(), Application.class)) {
			for (int i = 0; i < 3; i++) {
				fresh.send(note(fresh, "/header", "a").header("X-Nameless", "none"));
			}
		}
		assertThat(output).containsOnlyOnce("A caller of operation 'Notes.byHeader' is authenticated and has no name")
			.contains("define a CallerResolver bean");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/header", "/content", "/expression" })
	void aResolverIdentifiesCallersUnknownToTheContainer(String path) {
		String key = TestServer.newKey();
		HttpResponse<byte[]> one = resolving.send(note(resolving, path, key).header("X-Service", "a"));
		HttpResponse<byte[]> other = resolving.send(note(resolving, path, key).header("X-Service", "b"));
		assertThat(TestServer.isReplayed(other)).isFalse();
		assertThat(other.statusCode()).isEqualTo(200);
		assertThat(other.body()).isNotEqualTo(one.body());
		TestServer.assertReplays(one, resolving.send(note(resolving, path, key).header("X-Service", "a")));
	}

	@Test
	void aResolverIdentifiesCallersWithoutAName() {
		HttpResponse<byte[]> response = resolving.send(
				note(resolving, "/header", TestServer.newKey()).header("X-Nameless", "none").header("X-Service", "a"));
		assertThat(response.statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", "com.example.UserPayload@1f3a2b" })
	void aNameThatIdentifiesNobodyIsRefused(String name) {
		HttpResponse<byte[]> response = resolving.send(note(resolving, "/header", "a").header("X-Service", name));
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(TestServer.code(response)).isEqualTo("caller-unnamed");
	}

	@Test
	void aCallerWhoseNameIsMissingIsNotAnonymous() {
		assertThat(Caller.named(null)).isNotEqualTo(Caller.ANONYMOUS);
		HttpResponse<byte[]> response = resolving.send(note(resolving, "/header", "a").header("X-Service", "null"));
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(TestServer.code(response)).isEqualTo("caller-unnamed");
	}

	@Test
	void aResolverThatReturnsNullIsRefusedAndLogged(CapturedOutput output) {
		int written = CallerIsolationTests.Notes.written.get();
		HttpResponse<byte[]> response = resolving.send(note(resolving, "/header", "a").header("X-Service", "nobody"));
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(TestServer.code(response)).isEqualTo("caller-unnamed");
		assertThat(CallerIsolationTests.Notes.written).hasValue(written);
		assertThat(output).contains("The CallerResolver returned null for a caller of operation 'Notes.byHeader'")
			.contains("Caller.ANONYMOUS");
	}

	private static HttpRequest.Builder note(TestServer to, String path, String key) {
		return to.post(path, "{\"text\":\"" + key + "\"}").header("Idempotency-Key", key);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(CallerIsolationTests.Notes.class)
	static class Application {

		/** Where the security filters stand. */
		@Bean
		FilterRegistrationBean<Filter> authentication() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				String nameless = ((HttpServletRequest) request).getHeader("X-Nameless");
				chain.doFilter((nameless != null) ? new Nameless((HttpServletRequest) request, nameless) : request,
						response);
			});
			registration.setOrder(-100);
			return registration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class Resolving {

		@Bean
		CallerResolver callerResolver() {
			return (request) -> {
				String service = request.getHeader("X-Service");
				if ("nobody".equals(service)) {
					return null;
				}
				if ("null".equals(service)) {
					return Caller.named(null);
				}
				return (service != null) ? Caller.named(service) : CallerResolver.principal(request);
			};
		}

	}

	private static final class Nameless extends HttpServletRequestWrapper {

		private final String kind;

		Nameless(HttpServletRequest request, String kind) {
			super(request);
			this.kind = kind;
		}

		@Override
		public Principal getUserPrincipal() {
			return () -> switch (this.kind) {
				case "none" -> null;
				case "empty" -> "";
				default -> "  ";
			};
		}

	}

}
