package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.support.StartUpException;
import jakarta.annotation.security.RolesAllowed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.Advisor;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PostFilter;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.security.authorization.method.AuthorizeReturnObject;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Nobody gets an answer, fresh or stored, without a yes.
 */
class MethodSecurityTests {

	private static final String BODY = "{\"id\":\"7\"}";

	@RegisterExtension
	static final TestServer server = TestServer.secured(List.of(TestSecurity.class, MethodSecured.class, Vault.class,
			Prototype.class, Accounts.class, Inheriting.class));

	private static Records records;

	@BeforeAll
	static void start() {
		records = Records.of(server);
	}

	@AfterEach
	void everybodyIsAClerkAgain() {
		authorities("ann", TestSecurity.CLERK);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/token-key", "/header-key", "/content-key", "/expression-key", "/secured",
			"/roles-allowed", "/prototype", "/closed" })
	void aStoredAnswerIsReplayedToAuthorizedCallersOnly(String path) {
		String body = body();
		Map<String, String> keys = keys("ann");
		HttpResponse<byte[]> first = send("ann", path, body, keys);
		assertThat(first.statusCode()).isEqualTo(200);
		int ran = Vault.opened.get();

		authorities("ann", "ROLE_GUEST");
		HttpResponse<byte[]> denied = send("ann", path, body, keys);
		assertThat(denied.statusCode()).isEqualTo(403);
		assertThat(TestServer.isReplayed(denied)).isFalse();
		assertThat(TestServer.text(denied)).doesNotContain("opened");

		authorities("ann", TestSecurity.CLERK);
		TestServer.assertReplays(first, send("ann", path, body, keys));
		assertThat(Vault.opened).hasValue(ran);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/token-key", "/header-key", "/content-key", "/expression-key", "/secured",
			"/roles-allowed", "/prototype", "/closed" })
	void anUnauthorizedSubmissionRunsNothingAndStoresNothing(String path) {
		Map<String, String> keys = keys("eve");
		Map<String, String> nobodysKeys = keys(null);
		int ran = Vault.opened.get();
		Map<String, String> before = records.all();
		for (int i = 0; i < 2; i++) {
			assertThat(send("eve", path, body(), keys).statusCode()).isEqualTo(403);
			assertThat(send(null, path, body(), nobodysKeys).statusCode()).isEqualTo(401);
		}
		assertThat(records.all()).isEqualTo(before);
		assertThat(Vault.opened).hasValue(ran);
	}

	@Test
	void authorizationIsEvaluatedForEachReplay() {
		Map<String, String> keys = keys("ann");
		String mine = "{\"id\":\"ann\"}";
		assertThat(send("ann", "/own", mine, keys).statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(send("ann", "/own", mine, keys))).isTrue();
		assertThat(send("ann", "/own", "{\"id\":\"bob\"}", keys).statusCode()).isEqualTo(403);
	}

	@Test
	void authorizationByTheResultRefusesReplays() {
		for (Class<?> controller : List.of(Judged.class, Filtered.class, WholeClassJudged.class, Returned.class,
				PrototypeJudged.class)) {
			assertThatExceptionOfType(StartUpException.class).as(controller.getSimpleName())
				.isThrownBy(() -> startWith(MethodSecured.class, controller))
				.withMessageContaining("@ApiIdempotent " + controller.getSimpleName() + ".open ")
				.withMessageContaining("is authorized by what it returns")
				.satisfies((ex) -> assertThat(ex.action()).contains("@PreAuthorize", "whenCompleted = REJECT"));
		}
	}

	@Test
	void anOffsetDoesNotHideAuthorizationByTheResult() {
		for (Class<?> security : List.of(Early.class, Late.class)) {
			assertThatExceptionOfType(StartUpException.class).as(security.getSimpleName())
				.isThrownBy(() -> startWith(security, Judged.class))
				.withMessageContaining("is authorized by what it returns");
		}
	}

	@Test
	void anOffsetThatRunsSecurityInsideIsRefused() {
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> startWith(TooLate.class, Vault.class))
			.withMessageContaining("method security")
			.satisfies((ex) -> assertThat(ex.action()).contains("@EnableMethodSecurity(offset = "));
	}

	@Test
	void anOffsetThatRunsSecurityOutsideIsAccepted() {
		try (TestServer late = startWith(Late.class, Vault.class)) {
			HttpRequest.Builder request = TestSecurity.as("eve",
					late.post("/header-key", BODY).header("Idempotency-Key", "late"));
			assertThat(late.send(request).statusCode()).isEqualTo(403);
		}
	}

	@Test
	void authorizationByTheResultWorksWithRejection() {
		try (TestServer rejecting = startWith(MethodSecured.class, Rejecting.class)) {
			assertThat(rejecting.send(rejecting(rejecting, "ann")).statusCode()).isEqualTo(200);
			HttpResponse<byte[]> duplicate = rejecting.send(rejecting(rejecting, "ann"));
			assertThat(duplicate.statusCode()).isEqualTo(409);
			assertThat(TestServer.code(duplicate)).isEqualTo("duplicate");
			assertThat(rejecting.send(rejecting(rejecting, "eve")).statusCode()).isEqualTo(403);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/account", "/retried-account" })
	void anAuthorizerOfTheApplicationIsAskedBeforeEachReplay(String path) {
		String body = body();
		Map<String, String> keys = keys("ann");
		HttpResponse<byte[]> first = send("ann", path, body, keys);
		assertThat(first.statusCode()).isEqualTo(200);
		Accounts.barred.add("ann");
		try {
			HttpResponse<byte[]> refused = send("ann", path, body, keys);
			assertThat(refused.statusCode()).isEqualTo(403);
			assertThat(TestServer.text(refused)).doesNotContain("balance");
			assertThat(TestServer.isReplayed(refused)).isFalse();
		}
		finally {
			Accounts.barred.clear();
		}
		TestServer.assertReplays(first, send("ann", path, body, keys));
	}

	@Test
	void aDenialByTheHandlerIsNoErrorToReplay() {
		String body = body();
		Map<String, String> keys = keys("ann");
		Accounts.barred.add("ann");
		try {
			assertThat(send("ann", "/errors-replayed", body, keys).statusCode()).isEqualTo(403);
		}
		finally {
			Accounts.barred.clear();
		}
		assertThat(send("ann", "/errors-replayed", body, keys).statusCode()).isEqualTo(200);
	}

	@Test
	void eachInheritingControllerHasAnOperationOfItsOwn() {
		for (String name : new String[] { "Open.create", "Closed.create" }) {
			assertThat(server.send(server.request("/token?operation=" + name)).statusCode()).isEqualTo(200);
		}
		for (String name : new String[] { "Open.keep", "Closed.keep" }) {
			assertThat(TestServer.text(server.send(server.request("/token?operation=" + name)))).contains("HEADER");
		}
		assertThat(server.send(server.request("/token?operation=Base.create")).statusCode()).isEqualTo(400);
	}

	@Test
	void aTokenForOneInheritingControllerIsUnknownToTheOther() {
		Map<String, String> token = Map.of("Idempotent-Token", TestServer.text(server.send(TestSecurity.as("ann",
				server.request("/token?operation=Open.create").header("Accept", "text/plain")))));
		assertThat(TestServer.code(send("ann", "/closed-shop/create", BODY, token))).isEqualTo("token-unknown");
		assertThat(send("ann", "/open/create", BODY, token).statusCode()).isEqualTo(200);
	}

	@Test
	void methodSecurityOfEachInheritingControllerIsAskedBeforeAReplay() {
		Map<String, String> keys = keys("ann");
		assertThat(send("ann", "/open/keep", BODY, keys).statusCode()).isEqualTo(200);
		HttpResponse<byte[]> first = send("ann", "/closed-shop/keep", BODY, keys);
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(first)).isFalse();
		Inheriting.allowed.set(false);
		assertThat(send("ann", "/closed-shop/keep", BODY, keys).statusCode()).isEqualTo(403);
		assertThat(TestServer.isReplayed(send("ann", "/open/keep", BODY, keys))).isTrue();
		Inheriting.allowed.set(true);
		TestServer.assertReplays(first, send("ann", "/closed-shop/keep", BODY, keys));
	}

	private static HttpRequest.Builder rejecting(TestServer rejecting, String caller) {
		return TestSecurity.as(caller, rejecting.post("/judged", BODY).header("Idempotency-Key", "k"));
	}

	private static TestServer startWith(Class<?>... configurations) {
		return TestServer.startSecured(server.redis(),
				List.of(TestSecurity.class, configurations[0], configurations[1]));
	}

	private static void authorities(String caller, String... authorities) {
		server.bean(InMemoryUserDetailsManager.class).updateUser(TestSecurity.user(caller, authorities));
	}

	private static Map<String, String> keys(String caller) {
		return Map.of("Idempotency-Key", TestServer.newKey(), "Idempotent-Token", TestServer
			.text(server.send(TestSecurity.as(caller, server.request("/token").header("Accept", "text/plain")))));
	}

	private static String body() {
		return "{\"id\":\"" + TestServer.newKey() + "\"}";
	}

	private static HttpResponse<byte[]> send(String caller, String path, String body, Map<String, String> keys) {
		HttpRequest.Builder request = TestSecurity.as(caller, server.post(path, body));
		keys.forEach(request::header);
		return server.send(request);
	}

	record Safe(String id) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity(securedEnabled = true, jsr250Enabled = true)
	static class MethodSecured {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity(offset = -200)
	static class Early {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity(offset = 300)
	static class Late {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity(offset = 5000)
	static class TooLate {

	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Vault {

		static final AtomicInteger opened = new AtomicInteger();

		@ApiIdempotent
		@PreAuthorize("hasRole('CLERK')")
		@PostMapping("/token-key")
		String byToken(@RequestBody Safe safe) {
			return open(safe);
		}

		@PreAuthorize("hasRole('CLERK')")
		@PostMapping("/header-key")
		String byHeader(@RequestBody Safe safe) {
			return open(safe);
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PreAuthorize("hasRole('CLERK')")
		@PostMapping("/content-key")
		String byContent(@RequestBody Safe safe) {
			return open(safe);
		}

		@ApiIdempotent(key = "#safe.id")
		@PreAuthorize("hasRole('CLERK')")
		@PostMapping("/expression-key")
		String byExpression(@RequestBody Safe safe) {
			return open(safe);
		}

		@Secured(TestSecurity.CLERK)
		@PostMapping("/secured")
		String secured(@RequestBody Safe safe) {
			return open(safe);
		}

		@RolesAllowed("CLERK")
		@PostMapping("/roles-allowed")
		String rolesAllowed(@RequestBody Safe safe) {
			return open(safe);
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "500")
		@PostMapping("/errors-replayed")
		String withErrors(@RequestBody Safe safe) {
			if (!Accounts.barred.isEmpty()) {
				throw new AccessDeniedException("barred");
			}
			return open(safe);
		}

		@PreAuthorize("#safe.id == authentication.name")
		@PostMapping("/own")
		String own(@RequestBody Safe safe) {
			return open(safe);
		}

		@PostMapping("/closed")
		String closed(@RequestBody Safe safe) {
			return open(safe);
		}

		static String open(Safe safe) {
			return "opened " + safe.id() + " as number " + opened.incrementAndGet();
		}

	}

	@RestController
	@Scope("prototype")
	static class Prototype {

		@ApiIdempotent(KeySource.HEADER)
		@PreAuthorize("hasRole('CLERK')")
		@PostMapping("/prototype")
		String openPrototype(@RequestBody Safe safe) {
			return Vault.open(safe);
		}

	}

	@RestController
	static class Judged {

		@ApiIdempotent(KeySource.HEADER)
		@PreAuthorize("hasRole('CLERK')")
		@PostAuthorize("returnObject.startsWith('opened')")
		@PostMapping("/judged")
		String open(@RequestBody Safe safe) {
			return Vault.open(safe);
		}

	}

	@RestController
	static class Filtered {

		@ApiIdempotent(KeySource.HEADER)
		@PostFilter("filterObject == authentication.name")
		@PostMapping("/judged")
		List<String> open(@RequestBody Safe safe) {
			return List.of(safe.id());
		}

	}

	@RestController
	@PostAuthorize("returnObject.startsWith('opened')")
	static class WholeClassJudged {

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/judged")
		String open(@RequestBody Safe safe) {
			return Vault.open(safe);
		}

	}

	@RestController
	static class Returned {

		@ApiIdempotent(KeySource.HEADER)
		@AuthorizeReturnObject
		@PostMapping("/judged")
		Safe open(@RequestBody Safe safe) {
			return safe;
		}

	}

	@RestController
	@Scope("prototype")
	static class PrototypeJudged {

		@ApiIdempotent(KeySource.HEADER)
		@PostAuthorize("returnObject.startsWith('opened')")
		@PostMapping("/judged")
		String open(@RequestBody Safe safe) {
			return Vault.open(safe);
		}

	}

	@RestController
	static class Rejecting {

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT)
		@PostAuthorize("hasRole('CLERK')")
		@PostMapping("/judged")
		String open(@RequestBody Safe safe) {
			return Vault.open(safe);
		}

	}

	@RestController
	@EnableResilientMethods
	static class Accounts {

		static final Set<String> barred = ConcurrentHashMap.newKeySet();

		static final AtomicInteger runs = new AtomicInteger();

		@Bean
		static ReplayAuthorizer authorizer() {
			return (context, request) -> {
				assertThat(context.isReplay()).isTrue();
				if (barred.contains(request.getRemoteUser())) {
					throw new AccessDeniedException(context.operation());
				}
			};
		}

		@PostMapping("/account")
		@ApiIdempotent(KeySource.HEADER)
		String header() {
			return "balance " + runs.incrementAndGet();
		}

		@PostMapping("/retried-account")
		@ApiIdempotent(key = "#safe.id")
		@Retryable(maxRetries = 2)
		String content(@RequestBody Safe safe) {
			return "balance " + runs.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Open.class, Closed.class })
	static class Inheriting {

		static final AtomicBoolean allowed = new AtomicBoolean(true);

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor whileItIsAllowed() {
			ClassFilter closed = Closed.class::isAssignableFrom;
			return new AuthorizationManagerBeforeMethodInterceptor(new ComposablePointcut(closed),
					(authentication, call) -> new AuthorizationDecision(allowed.get()));
		}

	}

	abstract static class Base {

		private final AtomicInteger created = new AtomicInteger();

		@ApiIdempotent
		@PostMapping("/create")
		public String create(@RequestBody Safe safe) {
			return "created " + this.created.incrementAndGet();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/keep")
		public String keep(@RequestBody Safe safe) {
			return "kept " + this.created.incrementAndGet();
		}

	}

	@RestController
	@RequestMapping("/open")
	static class Open extends Base {

	}

	@RestController
	@RequestMapping("/closed-shop")
	static class Closed extends Base {

	}

}
