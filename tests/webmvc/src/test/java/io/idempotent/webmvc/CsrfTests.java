package io.idempotent.webmvc;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Forms behind Spring Security's CSRF protection, which writes another token into each
 * rendering of a form, and headers that its filter writes.
 */
class CsrfTests {

	private static final String FORM = "application/x-www-form-urlencoded";

	private static final Pattern TOKEN = Pattern.compile("[\\w-]{96}");

	@RegisterExtension
	static final TestServer server = TestServer.secured(List.of(Protected.class, Forms.class, Log.class));

	@RegisterExtension
	static final TestServer renamed = TestServer.secured(List.of(Renamed.class, Forms.class));

	@ParameterizedTest
	@ValueSource(strings = { "/by-header", "/by-content", "/by-argument" })
	void aFormThatIsRenderedAgainIsTheSame(String path) {
		assertThatRenderingsAreOne(server, "_csrf", path, FORM, false);
		assertThatRenderingsAreOne(renamed, "secret", path, FORM, false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/by-header", "/by-content" })
	void aTokenInTheQueryStringIsIgnored(String path) {
		assertThatRenderingsAreOne(server, "_csrf", path, "multipart/form-data; boundary=b", true);
	}

	@Test
	void anExemptPathStartsNoSession() {
		HttpResponse<byte[]> response = server.send(form(server, "/exempt", FORM, "name=tea"));
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(TestServer.header(response, "Set-Cookie")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "argument", "attribute", "header", "zipped", "by-argument-key" })
	void anAnswerWithACsrfTokenIsNotReplayed(String path) {
		HttpResponse<byte[]> rendered = server.send(server.request("/rendered"));
		String session = TestServer.header(rendered, "Set-Cookie").replaceAll(";.*", "");
		String name = TestServer.newKey();
		HttpResponse<byte[]> first = submit(server, session, "_csrf", TestServer.text(rendered), "/token-" + path, FORM,
				false, name);
		assertThat(first.statusCode()).isEqualTo(200);
		HttpResponse<byte[]> second = submit(server, session, "_csrf", TestServer.text(rendered), "/token-" + path,
				FORM, false, name);
		assertThat(second.statusCode()).isEqualTo(409);
		assertThat(TestServer.code(second)).isEqualTo("response-unavailable");
		if (!path.equals("zipped")) {
			Matcher token = TOKEN.matcher(first.headers().map() + TestServer.text(first));
			assertThat(token.find()).isTrue();
			assertThat(second.headers().map() + TestServer.text(second)).doesNotContain(token.group());
		}
	}

	@Test
	void aDeferredCsrfTokenIsNotReplayed() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = server
			.send(form(server, "/exempt-token", FORM, "name=tea").header("Idempotency-Key", key));
		assertThat(TestServer.header(first, "Set-Cookie")).isNotEmpty();
		assertThat(TestServer.text(first)).containsPattern(TOKEN);
		HttpResponse<byte[]> second = server
			.send(form(server, "/exempt-token", FORM, "name=tea").header("Idempotency-Key", key));
		assertThat(TestServer.code(second)).isEqualTo("response-unavailable");
	}

	@Test
	void aCsrfTokenThatIsReadButNotWrittenDoesNotCount() {
		HttpResponse<byte[]> rendered = server.send(server.request("/rendered"));
		String session = TestServer.header(rendered, "Set-Cookie").replaceAll(";.*", "");
		String name = TestServer.newKey();
		submit(server, session, "_csrf", TestServer.text(rendered), "/token-unwritten", FORM, false, name);
		assertThat(TestServer.isReplayed(
				submit(server, session, "_csrf", TestServer.text(rendered), "/token-unwritten", FORM, false, name)))
			.isTrue();
	}

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

	private static void assertThatRenderingsAreOne(TestServer to, String parameter, String path, String type,
			boolean inQuery) {
		HttpResponse<byte[]> rendered = to.send(to.request("/rendered"));
		String session = TestServer.header(rendered, "Set-Cookie").replaceAll(";.*", "");
		String again = TestServer.text(to.send(to.request("/rendered").header("Cookie", session)));
		assertThat(again).isNotEqualTo(TestServer.text(rendered));
		String name = TestServer.newKey();
		HttpResponse<byte[]> first = submit(to, session, parameter, TestServer.text(rendered), path, type, inQuery,
				name);
		assertThat(first.statusCode()).isEqualTo(200);
		TestServer.assertReplays(first, submit(to, session, parameter, again, path, type, inQuery, name));
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

		private static final AtomicInteger answers = new AtomicInteger();

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.ignoringRequestMatchers("/exempt", "/exempt-token", "/at-once", "/later"))
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.headers((headers) -> headers.addHeaderWriter(
						(request, response) -> response.setHeader("Link", "</" + answers.incrementAndGet() + ">")))
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
	@ApiIdempotent(KeySource.HEADER)
	static class Forms {

		private static final AtomicInteger done = new AtomicInteger();

		@GetMapping("/rendered")
		String render(CsrfToken token) {
			return token.getToken();
		}

		@PostMapping("/by-header")
		String byHeader() {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(key = "#name")
		@PostMapping("/by-argument")
		String byArgument(@RequestParam String name) {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/by-content")
		String byContent() {
			return "done " + done.incrementAndGet();
		}

		@PostMapping({ "/token-argument", "/exempt-token" })
		String tokenArgument(CsrfToken token) {
			return "<input value='" + token.getToken() + "'>";
		}

		@PostMapping("/token-attribute")
		String tokenAttribute(HttpServletRequest request) {
			return "<input value='" + ((CsrfToken) request.getAttribute("_csrf")).getToken() + "'>";
		}

		@PostMapping("/token-header")
		ResponseEntity<String> tokenHeader(CsrfToken token) {
			return ResponseEntity.ok().header("X-Next-Token", token.getToken()).body("ok");
		}

		@PostMapping("/token-zipped")
		void tokenZipped(CsrfToken token, HttpServletResponse response) throws IOException {
			response.setHeader("Content-Encoding", "gzip");
			try (GZIPOutputStream out = new GZIPOutputStream(response.getOutputStream())) {
				out.write(token.getToken().getBytes(StandardCharsets.US_ASCII));
			}
		}

		@ApiIdempotent(key = "#name")
		@PostMapping("/token-by-argument-key")
		String tokenByArgumentKey(CsrfToken token, @RequestParam String name) {
			return "<input value='" + token.getToken() + "'>";
		}

		@PostMapping("/token-unwritten")
		int tokenUnwritten(CsrfToken token) {
			return token.getToken().length();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/exempt")
		String exempt() {
			return "done " + done.incrementAndGet();
		}

		@PostMapping("/at-once")
		ResponseEntity<String> atOnce() {
			return ResponseEntity.ok().header("X-Order-Id", "7").body("done");
		}

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
