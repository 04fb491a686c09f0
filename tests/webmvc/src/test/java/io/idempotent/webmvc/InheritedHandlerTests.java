package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.aop.Advisor;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler method that several controllers inherit is an operation of each of them.
 */
class InheritedHandlerTests {

	private static final String BODY = "{\"text\":\"hello\"}";

	@RegisterExtension
	static final TestServer server = TestServer.secured(List.of(TestSecurity.class, Application.class));

	@Test
	void eachControllerHasAnOperationOfItsOwn() {
		for (String name : new String[] { "Open.create", "Closed.create", "Open.keep", "Closed.keep" }) {
			assertThat(server.send(server.request("/token?operation=" + name)).statusCode()).isEqualTo(200);
		}
		assertThat(server.send(server.request("/token?operation=Base.create")).statusCode()).isEqualTo(400);
	}

	@Test
	void aTokenForOneIsUnknownToTheOther() {
		String token = token("Open.create");
		HttpResponse<byte[]> other = submit("/closed-shop/create", token, "ann");
		assertThat(other.statusCode()).isEqualTo(409);
		assertThat(TestServer.code(other)).isEqualTo("token-unknown");
		assertThat(submit("/open/create", token, "ann").statusCode()).isEqualTo(200);
	}

	@Test
	void methodSecurityOfEachControllerIsAskedBeforeAReplay() {
		String key = UUID.randomUUID().toString();
		assertThat(submitByKey("/open/keep", key).statusCode()).isEqualTo(200);
		HttpResponse<byte[]> first = submitByKey("/closed-shop/keep", key);
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(first)).isFalse();
		Application.allowed.set(false);
		assertThat(submitByKey("/closed-shop/keep", key).statusCode()).isEqualTo(403);
		assertThat(TestServer.isReplayed(submitByKey("/open/keep", key))).isTrue();
		Application.allowed.set(true);
		assertThat(TestServer.isReplayed(submitByKey("/closed-shop/keep", key))).isTrue();
	}

	private static String token(String operation) {
		return TestServer.text(server.send(TestSecurity.as("ann",
				server.request("/token?operation=" + operation).header("Accept", "text/plain"))));
	}

	private static HttpResponse<byte[]> submit(String path, String token, String caller) {
		return server.send(TestSecurity.as(caller, server.post(path, BODY).header("Idempotent-Token", token)));
	}

	private static HttpResponse<byte[]> submitByKey(String path, String key) {
		return server.send(TestSecurity.as("ann", server.post(path, BODY).header("Idempotency-Key", key)));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity
	@Import({ Open.class, Closed.class })
	static class Application {

		static final AtomicBoolean allowed = new AtomicBoolean(true);

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor whileItIsAllowed() {
			ClassFilter closed = Closed.class::isAssignableFrom;
			return new AuthorizationManagerBeforeMethodInterceptor(new ComposablePointcut(closed),
					(authentication, call) -> new AuthorizationDecision(allowed.get()));
		}

	}

	record Note(String text) {
	}

	abstract static class Base {

		private final AtomicInteger created = new AtomicInteger();

		@ApiIdempotent
		@PostMapping("/create")
		public String create(@RequestBody Note note) {
			return "created " + this.created.incrementAndGet();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/keep")
		public String keep(@RequestBody Note note) {
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
