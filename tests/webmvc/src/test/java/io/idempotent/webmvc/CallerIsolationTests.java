package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No byte of one caller's answer reaches another, whatever key they share.
 */
@ExtendWith(OutputCaptureExtension.class)
class CallerIsolationTests {

	@RegisterExtension
	static final TestServer server = TestServer.secured(List.of(TestSecurity.class, Notes.class));

	@RegisterExtension
	static final TestServer tenants = TestServer.secured(List.of(TestSecurity.class, Tenants.class, Notes.class));

	@RegisterExtension
	static final TestServer sessions = TestServer.of(Notes.class, "idempotent.web.bind-to-session=true");

	@ParameterizedTest
	@CsvSource({ "/header,ann,bob", "/header,ann,", "/header,,ann", "/header,-,", "/header,,-", "/content,ann,bob",
			"/content,ann,", "/content,,ann", "/content,-,", "/expression,ann,bob", "/expression,ann,",
			"/expression,,ann", "/expression,,-" })
	void theSameKeyOfAnotherCallerIsAnotherOperation(String path, String one, String other) {
		String key = TestServer.newKey();
		HttpResponse<byte[]> ones = server.send(note(server, one, path, key));
		HttpResponse<byte[]> others = server.send(note(server, other, path, key));
		assertThat(TestServer.text(ones)).startsWith("note of " + one + " ");
		assertThat(TestServer.text(others)).startsWith("note of " + other + " ");
		assertThat(TestServer.isReplayed(others)).isFalse();
		TestServer.assertReplays(ones, server.send(note(server, one, path, key)));
		TestServer.assertReplays(others, server.send(note(server, other, path, key)));
	}

	@ParameterizedTest
	@CsvSource({ "ann,bob", "ann,", ",ann", "-,", ",-" })
	void aTokenIsUnknownToOtherCallers(String owner, String thief) {
		String token = token(server, owner);
		int written = Notes.written.get();
		HttpResponse<byte[]> stolen = server.send(tokenNote(server, thief, token));
		assertRefused(stolen, 409, "token-unknown");
		HttpResponse<byte[]> first = server.send(tokenNote(server, owner, token));
		assertThat(TestServer.text(first)).startsWith("note of " + owner + " ");
		HttpResponse<byte[]> stolenAfterUse = server.send(tokenNote(server, thief, token));
		assertRefused(stolenAfterUse, 409, "token-unknown");
		assertThat(TestServer.text(stolenAfterUse)).doesNotContain("note of");
		assertThat(Notes.written).hasValue(written + 1);
		TestServer.assertReplays(first, server.send(tokenNote(server, owner, token)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/header", "/content", "/expression" })
	void theSameKeyOfAnotherTenantIsAnotherOperation(String path) {
		String key = TestServer.newKey();
		HttpResponse<byte[]> red = tenants.send(note(tenants, "ann", path, key).header("X-Tenant", "red"));
		HttpResponse<byte[]> blue = tenants.send(note(tenants, "ann", path, key).header("X-Tenant", "blue"));
		HttpResponse<byte[]> none = tenants.send(note(tenants, "ann", path, key));
		assertThat(List.of(red, blue, none)).allMatch((response) -> response.statusCode() == 200)
			.noneMatch(TestServer::isReplayed)
			.extracting(TestServer::text)
			.doesNotHaveDuplicates();
		TestServer.assertReplays(red, tenants.send(note(tenants, "ann", path, key).header("X-Tenant", "red")));
		TestServer.assertReplays(none, tenants.send(note(tenants, "ann", path, key)));
	}

	@Test
	void aTokenBelongsToATenant() {
		String token = TestServer.text(tenants.send(TestSecurity.as("ann",
				tenants.request("/token").header("Accept", "text/plain").header("X-Tenant", "red"))));
		assertRefused(tenants.send(tokenNote(tenants, "ann", token).header("X-Tenant", "blue")), 409, "token-unknown");
		assertRefused(tenants.send(tokenNote(tenants, "ann", token)), 409, "token-unknown");
		assertThat(tenants.send(tokenNote(tenants, "ann", token).header("X-Tenant", "red")).statusCode())
			.isEqualTo(200);
	}

	@Test
	void principalAndTenantCannotBeConfused() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> tenantAnn = tenants.send(note(tenants, null, "/header", key).header("X-Tenant", "ann"));
		HttpResponse<byte[]> ann = tenants.send(note(tenants, "ann", "/header", key));
		assertThat(List.of(tenantAnn, ann)).allMatch((response) -> response.statusCode() == 200)
			.noneMatch(TestServer::isReplayed);
	}

	@Test
	void aTokenMayBelongToASession() {
		HttpResponse<byte[]> issued = sessions.send(sessions.request("/token").header("Accept", "text/plain"));
		String session = session(issued);
		String token = TestServer.text(issued);
		String otherSession = session(sessions.send(sessions.request("/token")));
		assertThat(session).isNotEmpty().isNotEqualTo(otherSession);

		assertRefused(sessions.send(tokenNote(sessions, null, token)), 409, "token-unknown");
		assertRefused(sessions.send(tokenNote(sessions, null, token).header("Cookie", otherSession)), 409,
				"token-unknown");
		HttpResponse<byte[]> first = sessions.send(tokenNote(sessions, null, token).header("Cookie", session));
		assertThat(first.statusCode()).isEqualTo(200);
		TestServer.assertReplays(first, sessions.send(tokenNote(sessions, null, token).header("Cookie", session)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/header", "/content", "/expression" })
	void aKeyMayBelongToASession(String path) {
		String one = session(sessions.send(sessions.request("/token")));
		String other = session(sessions.send(sessions.request("/token")));
		String key = TestServer.newKey();
		HttpResponse<byte[]> ones = sessions.send(note(sessions, null, path, key).header("Cookie", one));
		HttpResponse<byte[]> others = sessions.send(note(sessions, null, path, key).header("Cookie", other));
		assertThat(others.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(others)).isFalse();
		assertThat(others.body()).isNotEqualTo(ones.body());
		TestServer.assertReplays(ones, sessions.send(note(sessions, null, path, key).header("Cookie", one)));
	}

	@Test
	void aSessionThatIsNewWithASubmissionIsLoggedOnce(CapturedOutput log) {
		try (TestServer forgetful = TestServer.start(server.redis(), NewSessions.class,
				"idempotent.web.bind-to-session=true")) {
			String key = TestServer.newKey();
			forgetful.send(note(forgetful, null, "/header", key));
			assertThat(TestServer.isReplayed(forgetful.send(note(forgetful, null, "/header", key)))).isFalse();
		}
		assertThat(log.getAll()).containsOnlyOnce("belongs to a session that was created by the same request")
			.contains("Set idempotent.web.bind-to-session=false");
	}

	@Test
	void withoutTheBindingASessionDoesNotMatter() {
		HttpResponse<byte[]> issued = server.send(server.request("/token"));
		assertThat(session(issued)).isEmpty();
	}

	@Test
	void theSameKeyOnAnotherPathOrMethodIsAnotherOperation() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = server.send(header("/shelves/1", "POST", key));
		HttpResponse<byte[]> otherPath = server.send(header("/shelves/2", "POST", key));
		HttpResponse<byte[]> otherMethod = server.send(header("/shelves/1", "PUT", key));
		assertThat(List.of(first, otherPath, otherMethod)).allMatch((response) -> response.statusCode() == 200)
			.noneMatch(TestServer::isReplayed)
			.extracting(TestServer::text)
			.doesNotHaveDuplicates();
		TestServer.assertReplays(first, server.send(header("/shelves/1", "POST", key)));
	}

	@Test
	void aKeyStandsForOneOperationAtOnePath() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = server.send(header("/versions", "POST", key).header("X-Version", "1"));
		assertThat(TestServer.text(first)).startsWith("first version");
		assertRefused(server.send(header("/versions", "POST", key).header("X-Version", "2")), 422, "key-reused");
		TestServer.assertReplays(first, server.send(header("/versions", "POST", key).header("X-Version", "1")));
	}

	@Test
	void aTokenStandsForOneOperationOnly() {
		String token = token(server, "ann");
		assertThat(server.send(tokenVersion(token, "1")).statusCode()).isEqualTo(200);
		assertRefused(server.send(tokenVersion(token, "2")), 422, "key-reused");
		assertRefused(server.send(tokenNote(server, "ann", token)), 422, "key-reused");
	}

	@Test
	void theStoreRevealsNoKeysOrCallers() {
		String key = "key-to-be-hashed";
		server.send(note(server, "ann", "/header", key));
		server.send(tokenNote(server, "ann", token(server, "ann")));
		assertThat(Records.of(server).names()).isNotEmpty()
			.allMatch((name) -> name.matches("idem:[\\w-]{43}|idem:\\{idem:[\\w-]{43}}"));
	}

	private static void assertRefused(HttpResponse<byte[]> response, int status, String code) {
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(TestServer.code(response)).isEqualTo(code);
	}

	private static HttpRequest.Builder note(TestServer to, String caller, String path, String key) {
		return TestSecurity.as(caller, to.post(path, "{\"text\":\"" + key + "\"}").header("Idempotency-Key", key));
	}

	private static HttpRequest.Builder tokenNote(TestServer to, String caller, String token) {
		return TestSecurity.as(caller,
				to.post("/token-note", "{\"text\":\"hello\"}").header("Idempotent-Token", token));
	}

	private static HttpRequest.Builder tokenVersion(String token, String version) {
		return TestSecurity.as("ann",
				server.post("/token-versions", "{\"text\":\"hello\"}")
					.header("Idempotent-Token", token)
					.header("X-Version", version));
	}

	private static HttpRequest.Builder header(String path, String method, String key) {
		return TestSecurity.as("ann",
				server.request(path)
					.header("Content-Type", "application/json")
					.header("Idempotency-Key", key)
					.method(method, BodyPublishers.ofString("{\"text\":\"hello\"}")));
	}

	private static String token(TestServer of, String caller) {
		return TestServer.text(of.send(TestSecurity.as(caller, of.request("/token").header("Accept", "text/plain"))));
	}

	private static String session(HttpResponse<?> response) {
		String cookie = TestServer.header(response, "Set-Cookie");
		return cookie.contains(";") ? cookie.substring(0, cookie.indexOf(';')) : cookie;
	}

	record Note(String text) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Tenants {

		@Bean
		CallerResolver callerResolver() {
			return (request) -> CallerResolver.principal(request).inTenant(request.getHeader("X-Tenant"));
		}

	}

	/**
	 * Every request gets a session.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(Notes.class)
	static class NewSessions {

		@Bean
		FilterRegistrationBean<Filter> sessionFilter() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				((HttpServletRequest) request).getSession();
				chain.doFilter(request, response);
			});
			registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return registration;
		}

	}

	@RestController
	static class Notes {

		static final AtomicInteger written = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/header")
		String byHeader(@RequestBody Note note, HttpServletRequest request) {
			return write(request.getUserPrincipal());
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/content")
		String byContent(@RequestBody Note note, HttpServletRequest request) {
			return write(request.getUserPrincipal());
		}

		@ApiIdempotent(key = "#note.text")
		@PostMapping("/expression")
		String byExpression(@RequestBody Note note, HttpServletRequest request) {
			return write(request.getUserPrincipal());
		}

		@ApiIdempotent
		@PostMapping("/token-note")
		String byToken(@RequestBody Note note, HttpServletRequest request) {
			return write(request.getUserPrincipal());
		}

		@ApiIdempotent(KeySource.HEADER)
		@RequestMapping(path = "/shelves/{id}", method = { RequestMethod.POST, RequestMethod.PUT })
		String shelve(@RequestBody Note note) {
			return write(null);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping(path = "/versions", headers = "X-Version=1")
		String first(@RequestBody Note note) {
			return "first version " + write(null);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping(path = "/versions", headers = "X-Version=2")
		String second(@RequestBody Note note) {
			return "second version " + write(null);
		}

		@ApiIdempotent
		@PostMapping(path = "/token-versions", headers = "X-Version=1")
		String tokenFirst(@RequestBody Note note) {
			return "first version " + write(null);
		}

		@ApiIdempotent
		@PostMapping(path = "/token-versions", headers = "X-Version=2")
		String tokenSecond(@RequestBody Note note) {
			return "second version " + write(null);
		}

		private static String write(Principal author) {
			return "note of " + ((author != null) ? author.getName() : null) + " number " + written.incrementAndGet();
		}

	}

}
