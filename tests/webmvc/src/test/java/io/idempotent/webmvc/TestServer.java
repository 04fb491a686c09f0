package io.idempotent.webmvc;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real application on a real Tomcat and a free port, and a client of it.
 */
final class TestServer implements AutoCloseable, BeforeAllCallback, AfterAllCallback {

	private final Function<EmbeddedRedis, ConfigurableApplicationContext> application;

	private EmbeddedRedis redis;

	private ConfigurableApplicationContext context;

	/** The class whose nested ones share the application. */
	private Class<?> owner;

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private TestServer(String[] properties, Class<?>... sources) {
		this.application = (redis) -> run(redis, properties, sources);
	}

	/**
	 * An application without Spring Security, for all tests of a class. It has a Redis
	 * that is empty when it starts.
	 */
	static TestServer of(Class<?> controller, String... properties) {
		return new TestServer(properties, Open.class, controller);
	}

	/**
	 * As {@link #of}, behind Spring Security, which {@code configurations} set up.
	 */
	static TestServer secured(List<Class<?>> configurations, String... properties) {
		return new TestServer(properties, withSecurity(configurations));
	}

	/**
	 * Starts an application without Spring Security.
	 */
	static TestServer start(EmbeddedRedis redis, Class<?> controller, String... properties) {
		return new TestServer(properties, Open.class, controller).startOn(redis);
	}

	/**
	 * Starts an application behind Spring Security, which {@code configurations} set up.
	 */
	static TestServer startSecured(EmbeddedRedis redis, List<Class<?>> configurations, String... properties) {
		return new TestServer(properties, withSecurity(configurations)).startOn(redis);
	}

	private static Class<?>[] withSecurity(List<Class<?>> configurations) {
		List<Class<?>> sources = new ArrayList<>(configurations);
		sources.add(Secured.class);
		return sources.toArray(Class[]::new);
	}

	@Override
	public void beforeAll(ExtensionContext test) {
		if (this.owner != null) {
			return;
		}
		this.owner = test.getRequiredTestClass();
		EmbeddedRedis redis = test.getRoot()
			.getStore(ExtensionContext.Namespace.create(TestServer.class))
			.computeIfAbsent("redis", (key) -> EmbeddedRedis.start(), EmbeddedRedis.class);
		test.getStore(ExtensionContext.Namespace.create(TestServer.class))
			.computeIfAbsent(test.getRequiredTestClass(), (key) -> isEmptied(redis));
		startOn(redis);
	}

	@Override
	public void afterAll(ExtensionContext test) {
		if (test.getRequiredTestClass() == this.owner) {
			close();
			// A test that failed is run again in this JVM.
			this.owner = null;
		}
	}

	private static boolean isEmptied(EmbeddedRedis redis) {
		RedisTalk.tell(redis, "FLUSHALL");
		return true;
	}

	private TestServer startOn(EmbeddedRedis redis) {
		this.redis = redis;
		this.context = this.application.apply(redis);
		return this;
	}

	private static ConfigurableApplicationContext run(EmbeddedRedis redis, String[] properties, Class<?>... sources) {
		List<String> all = new ArrayList<>(List.of("server.port=0", "spring.main.banner-mode=off",
				"spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
				// For hundreds of requests at once on a busy machine.
				"spring.data.redis.timeout=10s", "spring.data.redis.connect-timeout=10s",
				"idempotent.store.redis.timeout=10s", "logging.level.root=warn"));
		all.addAll(List.of(properties));
		return new SpringApplicationBuilder(sources).web(WebApplicationType.SERVLET)
			.properties(all.toArray(String[]::new))
			.run();
	}

	/**
	 * For nodes beside this one.
	 */
	EmbeddedRedis redis() {
		return this.redis;
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path)).timeout(Duration.ofSeconds(30));
	}

	HttpRequest.Builder post(String path, String json) {
		return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
	}

	HttpResponse<byte[]> send(HttpRequest.Builder request) {
		return this.client.sendAsync(request.build(), BodyHandlers.ofByteArray()).join();
	}

	/**
	 * Submits a small document under a key.
	 */
	HttpResponse<byte[]> submit(String path, String key) {
		return submit(path, key, "{}");
	}

	HttpResponse<byte[]> submit(String path, String key, String json) {
		return send(post(path, json).header("Idempotency-Key", key));
	}

	static String newKey() {
		return UUID.randomUUID().toString();
	}

	static void assertRefused(HttpResponse<byte[]> response, int status, String code) {
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(code(response)).isEqualTo(code);
	}

	static void assertReplays(HttpResponse<byte[]> first, HttpResponse<byte[]> repeat) {
		assertThat(isReplayed(repeat)).isTrue();
		assertThat(repeat.statusCode()).isEqualTo(first.statusCode());
		assertThat(text(repeat)).isEqualTo(text(first));
	}

	/**
	 * Fetches a form token.
	 */
	String token() {
		return text(send(request("/token").header("Accept", "text/plain")));
	}

	static String text(HttpResponse<byte[]> response) {
		return new String(response.body(), StandardCharsets.UTF_8);
	}

	static String header(HttpResponse<?> response, String name) {
		return response.headers().firstValue(name).orElse("");
	}

	static boolean isReplayed(HttpResponse<?> response) {
		return header(response, "Idempotency-Replayed").equals("true");
	}

	/**
	 * The code of a problem document, or the empty text.
	 */
	static String code(HttpResponse<byte[]> response) {
		String body = text(response);
		int at = body.indexOf("\"code\":\"");
		return (at < 0) ? "" : body.substring(at + 8, body.indexOf('"', at + 8));
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { SecurityAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class,
			SecurityFilterAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class,
			ManagementWebSecurityAutoConfiguration.class })
	static class Open {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Secured {

	}

}
