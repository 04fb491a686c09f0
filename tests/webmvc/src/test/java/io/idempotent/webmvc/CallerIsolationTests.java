package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
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

	@RegisterExtension
	static final TestServer nameless = TestServer.of(Nameless.class);

	@RegisterExtension
	static final TestServer resolving = TestServer.of(Resolving.class);

	@ParameterizedTest
	@CsvSource({ "/header,ann,bob", "/header,ann,", "/header,,ann", "/header,-,", "/header,,-", "/content,ann,bob",
			"/content,ann,", "/content,,ann", "/content,-,", "/expression,ann,bob", "/expression,ann,",
			"/expression,,ann", "/expression,,-" })
	void theSameKeyOfAnotherCallerIsAnotherOperation(String path, String one, String other) {
		assertApart(server, path, (request) -> TestSecurity.as(one, request),
				(request) -> TestSecurity.as(other, request));
	}

	@ParameterizedTest
	@CsvSource({ "ann,bob", "ann,", ",ann", "-,", ",-" })
	void aTokenIsUnknownToOtherCallers(String owner, String thief) {
		String token = token(server, owner);
		int written = Notes.written.get();
		HttpResponse<byte[]> stolen = server.send(tokenNote(server, thief, token));
		TestServer.assertRefused(stolen, 409, "token-unknown");
		HttpResponse<byte[]> first = server.send(tokenNote(server, owner, token));
		assertThat(TestServer.text(first)).startsWith("note of " + owner + " ");
		HttpResponse<byte[]> stolenAfterUse = server.send(tokenNote(server, thief, token));
		TestServer.assertRefused(stolenAfterUse, 409, "token-unknown");
		assertThat(TestServer.text(stolenAfterUse)).doesNotContain("note of");
		assertThat(Notes.written).hasValue(written + 1);
		TestServer.assertReplays(first, server.send(tokenNote(server, owner, token)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/header", "/content", "/expression" })
	void theSameKeyOfAnotherTenantIsAnotherOperation(String path) {
		assertApart(tenants, path, (request) -> TestSecurity.as("ann", request).header("X-Tenant", "red"),
				(request) -> TestSecurity.as("ann", request).header("X-Tenant", "blue"));
		assertApart(tenants, path, (request) -> TestSecurity.as("ann", request).header("X-Tenant", "red"),
				(request) -> TestSecurity.as("ann", request));
	}

	@Test
	void aTokenBelongsToATenant() {
		String token = TestServer.text(tenants.send(TestSecurity.as("ann",
				tenants.request("/token").header("Accept", "text/plain").header("X-Tenant", "red"))));
		TestServer.assertRefused(tenants.send(tokenNote(tenants, "ann", token).header("X-Tenant", "blue")), 409,
				"token-unknown");
		TestServer.assertRefused(tenants.send(tokenNote(tenants, "ann", token)), 409, "token-unknown");
		assertThat(tenants.send(tokenNote(tenants, "ann", token).header("X-Tenant", "red")).statusCode())
			.isEqualTo(200);
	}

	@Test
	void principalAndTenantCannotBeConfused() {
		assertApart(tenants, "/header", (request) -> request.header("X-Tenant", "ann"),
				(request) -> TestSecurity.as("ann", request));
	}

	@Test
	void aTokenMayBelongToASession() {
		HttpResponse<byte[]> issued = sessions.send(sessions.request("/token").header("Accept", "text/plain"));
		String session = session(issued);
		String token = TestServer.text(issued);
		String otherSession = session(sessions.send(sessions.request("/token")));
		assertThat(session).isNotEmpty().isNotEqualTo(otherSession);

		TestServer.assertRefused(sessions.send(tokenNote(sessions, null, token)), 409, "token-unknown");
		TestServer.assertRefused(sessions.send(tokenNote(sessions, null, token).header("Cookie", otherSession)), 409,
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
		assertApart(sessions, path, (request) -> request.header("Cookie", one),
				(request) -> request.header("Cookie", other));
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
		TestServer.assertRefused(server.send(header("/versions", "POST", key).header("X-Version", "2")), 422,
				"key-reused");
		TestServer.assertReplays(first, server.send(header("/versions", "POST", key).header("X-Version", "1")));
	}

	@Test
	void aTokenStandsForOneOperationOnly() {
		String token = token(server, "ann");
		assertThat(server.send(tokenVersion(token, "1")).statusCode()).isEqualTo(200);
		TestServer.assertRefused(server.send(tokenVersion(token, "2")), 422, "key-reused");
		TestServer.assertRefused(server.send(tokenNote(server, "ann", token)), 422, "key-reused");
	}

	@Test
	void theStoreRevealsNoKeysOrCallers() {
		String key = "key-to-be-hashed";
		server.send(note(server, "ann", "/header", key));
		server.send(tokenNote(server, "ann", token(server, "ann")));
		assertThat(Records.of(server).names()).isNotEmpty()
			.allMatch((name) -> name.matches("idem:[\\w-]{43}|idem:\\{idem:[\\w-]{43}}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/header", "/content", "/expression", "/token-note" })
	void anAuthenticatedCallerWithoutANameIsRefused(String path) {
		String token = nameless.token();
		for (String kind : new String[] { "none", "empty", "blank" }) {
			int written = Notes.written.get();
			HttpResponse<byte[]> response = nameless
				.send(note(nameless, null, path, "a").header("Idempotent-Token", token).header("X-Nameless", kind));
			TestServer.assertRefused(response, 403, "caller-unnamed");
			assertThat(Notes.written).hasValue(written);
		}
	}

	@Test
	void aCallerWithoutANameGetsNoToken() {
		HttpResponse<byte[]> response = nameless.send(nameless.request("/token").header("X-Nameless", "empty"));
		TestServer.assertRefused(response, 403, "caller-unnamed");
	}

	@Test
	void aCallerWithoutANameIsLoggedOnce(CapturedOutput output) {
		try (TestServer fresh = TestServer.start(nameless.redis(), Nameless.class)) {
			for (int i = 0; i < 3; i++) {
				fresh.send(note(fresh, null, "/header", "a").header("X-Nameless", "none"));
			}
		}
		assertThat(output).containsOnlyOnce("A caller of operation 'Notes.byHeader' is authenticated and has no name")
			.contains("define a CallerResolver bean");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/header", "/content", "/expression" })
	void aResolverIdentifiesCallersUnknownToTheContainer(String path) {
		assertApart(resolving, path, (request) -> request.header("X-Service", "a"),
				(request) -> request.header("X-Service", "b"));
	}

	@Test
	void aResolverIdentifiesCallersWithoutAName() {
		HttpResponse<byte[]> response = resolving
			.send(note(resolving, null, "/header", TestServer.newKey()).header("X-Nameless", "none")
				.header("X-Service", "a"));
		assertThat(response.statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", "com.example.UserPayload@1f3a2b" })
	void aNameThatIdentifiesNobodyIsRefused(String name) {
		HttpResponse<byte[]> response = resolving.send(note(resolving, null, "/header", "a").header("X-Service", name));
		TestServer.assertRefused(response, 403, "caller-unnamed");
	}

	@Test
	void aCallerWhoseNameIsMissingIsNotAnonymous() {
		assertThat(Caller.named(null)).isNotEqualTo(Caller.ANONYMOUS);
		HttpResponse<byte[]> response = resolving
			.send(note(resolving, null, "/header", "a").header("X-Service", "null"));
		TestServer.assertRefused(response, 403, "caller-unnamed");
	}

	@Test
	void aResolverThatReturnsNullIsRefusedAndLogged(CapturedOutput output) {
		int written = Notes.written.get();
		HttpResponse<byte[]> response = resolving
			.send(note(resolving, null, "/header", "a").header("X-Service", "nobody"));
		TestServer.assertRefused(response, 403, "caller-unnamed");
		assertThat(Notes.written).hasValue(written);
		assertThat(output).contains("The CallerResolver returned null for a caller of operation 'Notes.byHeader'")
			.contains("Caller.ANONYMOUS");
	}

	/** The same key is another operation for the other one. */
	private static void assertApart(TestServer to, String path, UnaryOperator<HttpRequest.Builder> one,
			UnaryOperator<HttpRequest.Builder> other) {
		String key = TestServer.newKey();
		HttpResponse<byte[]> ones = to.send(one.apply(note(to, null, path, key)));
		HttpResponse<byte[]> others = to.send(other.apply(note(to, null, path, key)));
		assertThat(List.of(ones, others)).allMatch((response) -> response.statusCode() == 200)
			.noneMatch(TestServer::isReplayed)
			.extracting(TestServer::text)
			.doesNotHaveDuplicates();
		TestServer.assertReplays(ones, to.send(one.apply(note(to, null, path, key))));
		TestServer.assertReplays(others, to.send(other.apply(note(to, null, path, key))));
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

	@Configuration(proxyBeanMethods = false)
	@Import(Notes.class)
	static class Nameless {

		/**
		 * Stands where the security filters stand, and a header for what they
		 * authenticated.
		 */
		@Bean
		FilterRegistrationBean<Filter> authentication() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				String nameless = ((HttpServletRequest) request).getHeader("X-Nameless");
				chain.doFilter(
						(nameless != null) ? new NamelessRequest((HttpServletRequest) request, nameless) : request,
						response);
			});
			registration.setOrder(-100);
			return registration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Nameless.class)
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

	private static final class NamelessRequest extends HttpServletRequestWrapper {

		private final String kind;

		NamelessRequest(HttpServletRequest request, String kind) {
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

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Notes {

		static final AtomicInteger written = new AtomicInteger();

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

		@RequestMapping(path = "/shelves/{id}", method = { RequestMethod.POST, RequestMethod.PUT })
		String shelve(@RequestBody Note note) {
			return write(null);
		}

		@PostMapping(path = "/versions", headers = "X-Version=1")
		String first(@RequestBody Note note) {
			return "first version " + write(null);
		}

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
