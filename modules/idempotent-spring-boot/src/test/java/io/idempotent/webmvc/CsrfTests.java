package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Forms behind Spring Security's CSRF protection, which writes another token into each
 * rendering of a form.
 */
class CsrfTests {

	private static final String FORM = "application/x-www-form-urlencoded";

	private static EmbeddedRedis redis;

	private static TestServer server;

	private static TestServer renamed;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = TestServer.startSecured(redis, List.of(Protected.class, Forms.class));
		renamed = TestServer.startSecured(redis, List.of(Renamed.class, Forms.class));
	}

	@AfterAll
	static void stop() {
		renamed.close();
		server.close();
		redis.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/by-header", "/by-content" })
	void aFormThatIsRenderedAgainIsTheSame(String path) {
		assertThatRenderingsAreOne(server, "_csrf", path, FORM, false);
		assertThatRenderingsAreOne(renamed, "secret", path, FORM, false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/by-header", "/by-content" })
	void aTokenInTheQueryStringDoesNotCountEither(String path) {
		assertThatRenderingsAreOne(server, "_csrf", path, "multipart/form-data; boundary=b", true);
	}

	@Test
	void aPathThatIsExemptBeginsNoSession() {
		HttpResponse<byte[]> response = server.send(form(server, "/exempt", FORM, "name=tea"));
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(TestServer.header(response, "Set-Cookie")).isEmpty();
	}

	private static void assertThatRenderingsAreOne(TestServer to, String parameter, String path, String type,
			boolean inQuery) {
		HttpResponse<byte[]> rendered = to.send(to.request("/rendered"));
		String session = TestServer.header(rendered, "Set-Cookie").replaceAll(";.*", "");
		String again = TestServer.text(to.send(to.request("/rendered").header("Cookie", session)));
		assertThat(again).isNotEqualTo(TestServer.text(rendered));
		String name = UUID.randomUUID().toString();
		HttpResponse<byte[]> first = submit(to, session, parameter, TestServer.text(rendered), path, type, inQuery,
				name);
		HttpResponse<byte[]> second = submit(to, session, parameter, again, path, type, inQuery, name);
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(second.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(second.body()).isEqualTo(first.body());
	}

	private static HttpResponse<byte[]> submit(TestServer to, String session, String parameter, String csrf,
			String path, String type, boolean inQuery, String name) {
		String field = parameter + "=" + URLEncoder.encode(csrf, StandardCharsets.UTF_8);
		String body = inQuery ? "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n" + name + "\r\n--b--\r\n"
				: field + "&name=" + name;
		return to.send(form(to, inQuery ? path + "?" + field : path, type, body).header("Cookie", session)
			.header("Idempotency-Key", name));
	}

	private static HttpRequest.Builder form(TestServer to, String path, String type, String body) {
		return to.request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body));
	}

	@Configuration(proxyBeanMethods = false)
	static class Protected {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.ignoringRequestMatchers("/exempt"))
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Renamed {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			HttpSessionCsrfTokenRepository tokens = new HttpSessionCsrfTokenRepository();
			tokens.setParameterName("secret");
			return http.csrf((csrf) -> csrf.csrfTokenRepository(tokens))
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.build();
		}

	}

	@RestController
	static class Forms {

		private static final AtomicInteger done = new AtomicInteger();

		@GetMapping("/rendered")
		String render(CsrfToken token) {
			return token.getToken();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/by-header")
		String byHeader() {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/by-content")
		String byContent() {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/exempt")
		String exempt() {
			return "done " + done.incrementAndGet();
		}

	}

}
