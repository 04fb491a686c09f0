package io.idempotent.webmvc;

import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.ApiIdempotent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Forms that the server renders, behind Spring Security's form login and CSRF protection:
 * the set-up of docs/forms.md.
 */
class RenderedFormTests {

	private static final Pattern FIELD = Pattern.compile("name=\"(\\w+)\"[^>]*value=\"([^\"]+)\"");

	@RegisterExtension
	static final TestServer server = TestServer.secured(List.of(Protected.class, Orders.class));

	@Test
	void theScriptOfThePageFetchesAToken() {
		String session = signIn("ann");
		String csrf = field(get("/orders/new", session), "_csrf");
		String token = TestServer.text(server.send(as(session, "/token").header("Accept", "text/plain")));
		String form = "_csrf=" + encoded(csrf) + "&_idempotentToken=" + token + "&name=tea";
		assertOnce(submit("/orders", session, form), submit("/orders", session, form));
	}

	@Test
	void aTokenBelongsToTheUserWhoFetchedIt() {
		String token = TestServer.text(server.send(as(signIn("ann"), "/token").header("Accept", "text/plain")));
		String other = signIn("bob");
		String csrf = field(get("/orders/new", other), "_csrf");
		HttpResponse<byte[]> refused = submit("/orders", other,
				"_csrf=" + encoded(csrf) + "&_idempotentToken=" + token + "&name=tea");
		assertThat(TestServer.code(refused)).isEqualTo("token-unknown");
	}

	@Test
	void withoutASignInThereIsNoToken() {
		HttpResponse<byte[]> response = server.send(server.request("/token").header("Accept", "text/html"));
		assertThat(response.statusCode()).isEqualTo(302);
		assertThat(TestServer.header(response, "Location")).endsWith("/login");
	}

	@Test
	void aFormTokenDoesNotReplaceTheCsrfToken() {
		String session = signIn("ann");
		String token = TestServer.text(server.send(as(session, "/token").header("Accept", "text/plain")));
		assertThat(submit("/orders", session, "_idempotentToken=" + token + "&name=tea").statusCode()).isEqualTo(403);
	}

	@Test
	void theControllerDrawsAnIdForAPageWithoutAScript() {
		String session = signIn("ann");
		HttpResponse<byte[]> page = get("/drafts/new", session);
		String form = "_csrf=" + encoded(field(page, "_csrf")) + "&submission=" + field(page, "submission");
		assertThat(submit("/drafts", session, form + "&name=").statusCode()).isEqualTo(422);
		assertOnce(submit("/drafts", session, form + "&name=tea"), submit("/drafts", session, form + "&name=tea"));
		assertThat(submit("/drafts", session, form + "&name=coffee").statusCode()).isEqualTo(422);
	}

	private static void assertOnce(HttpResponse<byte[]> first, HttpResponse<byte[]> second) {
		assertThat(first.statusCode()).isEqualTo(303);
		assertThat(second.statusCode()).isEqualTo(303);
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(TestServer.header(second, "Location")).isEqualTo(TestServer.header(first, "Location"));
	}

	private static String signIn(String user) {
		HttpResponse<byte[]> page = server.send(server.request("/login"));
		HttpResponse<byte[]> entered = submit("/login", session(page),
				"_csrf=" + encoded(field(page, "_csrf")) + "&username=" + user + "&password=secret");
		assertThat(TestServer.header(entered, "Location")).doesNotContain("error");
		return session(entered);
	}

	private static HttpResponse<byte[]> get(String path, String session) {
		return server.send(as(session, path));
	}

	private static HttpResponse<byte[]> submit(String path, String session, String form) {
		return server.send(as(session, path).header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(form)));
	}

	private static HttpRequest.Builder as(String session, String path) {
		return server.request(path).header("Cookie", session);
	}

	private static String session(HttpResponse<byte[]> response) {
		return TestServer.header(response, "Set-Cookie").replaceAll(";.*", "");
	}

	private static String field(HttpResponse<byte[]> page, String name) {
		Matcher fields = FIELD.matcher(TestServer.text(page));
		while (fields.find()) {
			if (fields.group(1).equals(name)) {
				return fields.group(2);
			}
		}
		throw new AssertionError("No field " + name + " in " + TestServer.text(page));
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	@Configuration(proxyBeanMethods = false)
	static class Protected {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.formLogin(Customizer.withDefaults())
				.build();
		}

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(TestSecurity.user("ann"), TestSecurity.user("bob"));
		}

		@Bean
		PasswordEncoder passwordEncoder() {
			return new TestSecurity().passwordEncoder();
		}

	}

	@RestController
	static class Orders {

		private final AtomicInteger created = new AtomicInteger();

		@GetMapping(path = "/orders/new", produces = "text/html")
		String order(CsrfToken csrf) {
			return hidden(csrf.getParameterName(), csrf.getToken());
		}

		@ApiIdempotent
		@PostMapping("/orders")
		ResponseEntity<Void> create(@RequestParam String name) {
			return to("/orders/" + this.created.incrementAndGet());
		}

		@GetMapping(path = "/drafts/new", produces = "text/html")
		String draft(CsrfToken csrf) {
			return hidden(csrf.getParameterName(), csrf.getToken())
					+ hidden("submission", UUID.randomUUID().toString());
		}

		@ApiIdempotent(key = "#submission")
		@PostMapping("/drafts")
		ResponseEntity<Void> save(@RequestParam UUID submission, @RequestParam String name) {
			return name.isEmpty() ? ResponseEntity.status(HttpStatus.UNPROCESSABLE_CONTENT).build()
					: to("/drafts/" + this.created.incrementAndGet());
		}

		private static ResponseEntity<Void> to(String location) {
			return ResponseEntity.status(HttpStatus.SEE_OTHER).header(HttpHeaders.LOCATION, location).build();
		}

		private static String hidden(String name, String value) {
			return "<input type=\"hidden\" name=\"" + name + "\" value=\"" + value + "\">";
		}

	}

}
