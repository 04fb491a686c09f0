package io.idempotent.form.autoconfigure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.settings.InvalidConfigurationException;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.security.autoconfigure.web.servlet.PathRequest;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The script for browsers, as a secured application on Tomcat serves it.
 */
class ScriptAutoConfigurationTests {

	private static final String PATH = "/js/idempotent.js";

	private static final WebApplicationContextRunner RUNNER = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class,
				IdempotencyWebMvcAutoConfiguration.class, ScriptAutoConfiguration.class,
				DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	private static ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "spring.main.banner-mode=off", "idempotent.store.type=local",
					"idempotent.lock.engines=local", "logging.level.root=warn", "server.servlet.context-path=/shop",
					"idempotent.web.script.enabled=true", "idempotent.web.script.path=" + PATH,
					"idempotent.token.path=/forms/token", "idempotent.token.header=Form-Token",
					"idempotent.web.key-header=Payment-Key", "idempotent.web.profile=stripe")
			.run();
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void theScriptIsAStaticResource() {
		HttpResponse<String> script = get(PATH);
		assertThat(script.statusCode()).isEqualTo(200);
		assertThat(header(script, "Content-Type")).isEqualTo("text/javascript;charset=UTF-8");
		assertThat(script.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
		assertThat(get("/other.js").statusCode()).isEqualTo(302);
	}

	@Test
	void theScriptKnowsPathsAndNames() {
		assertThat(get(PATH).body())
			.contains("\"tokenPath\":\"./../forms/token\"", "\"tokenHeader\":\"Form-Token\"",
					"\"tokenField\":\"_idempotentToken\"", "\"keyHeader\":\"Payment-Key\"",
					"\"replayedHeader\":\"Idempotent-Replayed\"")
			.doesNotContain("Idempotency-Key");
	}

	@Test
	void anUnchangedScriptIsNotSentAgain() {
		HttpResponse<String> script = get(PATH);
		assertThat(header(script, "Cache-Control")).isEqualTo("no-cache");
		HttpResponse<String> again = get(PATH, "If-None-Match", header(script, "ETag"));
		assertThat(again.statusCode()).isEqualTo(304);
		assertThat(again.body()).isEmpty();
		assertThat(get(PATH, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
	}

	@Test
	void aVersionIsKeptForAYear() {
	}

	@Test
	void theScriptIsOnlyRead() {
		assertThat(send(request(PATH).POST(BodyPublishers.noBody())).statusCode()).isEqualTo(405);
	}

	@Test
	void theRedirectToTheLoginCanBeRead() {
		HttpResponse<String> response = post("/secret", "none", "manual");
		assertThat(response.statusCode()).isEqualTo(204);
		assertThat(header(response, "Idempotent-Redirect")).endsWith("/login");
		assertThat(post("/secret", "none", "follow").statusCode()).isEqualTo(302);
	}

	@Test
	void theRedirectOfAPageStaysOneForCaches() {
		HttpResponse<String> response = get("/secret", "Idempotent-Redirect", "manual");
		assertThat(response.statusCode()).isEqualTo(302);
		assertThat(header(response, "Idempotent-Redirect")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/view", "/entity" })
	void aRedirectIsRecordedUnchanged(String path) {
		HttpResponse<String> readable = post(path, "one", "manual");
		assertThat(readable.statusCode()).isEqualTo(204);
		assertThat(header(readable, "Idempotent-Redirect")).endsWith("/done");
		HttpResponse<String> replay = post(path, "one", "follow");
		assertThat(replay.statusCode()).isIn(302, 303);
		assertThat(header(replay, "Location")).endsWith(header(readable, "Idempotent-Redirect"));
		assertThat(header(replay, "Idempotent-Replayed")).isEqualTo("true");
		HttpResponse<String> again = post(path, "one", "manual");
		assertThat(header(again, "Idempotent-Redirect")).endsWith("/done");
		assertThat(header(again, "Idempotent-Replayed")).isEqualTo("true");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/broken", "/withdrawn" })
	void aFailedRedirectIsNotReportedToTheScript(String path) {
		HttpResponse<String> response = post(path, "one", "manual");
		assertThat(response.statusCode()).isEqualTo(500);
		assertThat(header(response, "Idempotent-Redirect")).isEmpty();
	}

	@Test
	void thePathOfTheTokensIsRefused() {
		RUNNER.withPropertyValues("idempotent.web.script.enabled=true", "idempotent.web.script.path=/token")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("idempotent.web.script.path is '/token', but idempotent.token.path is the same"));
	}

	@Test
	void withoutARequestForItThereIsNoScriptAndNoFilter() {
		RUNNER.run((context) -> assertThat(context).hasNotFailed()
			.hasBean("io.idempotent.httpIdempotency")
			.doesNotHaveBean("io.idempotent.idempotencyScriptMapping")
			.doesNotHaveBean("io.idempotent.idempotencyRedirectFilter"));
	}

	@Test
	void aNativeImageContainsTheScript() {
		RuntimeHints hints = new RuntimeHints();
		new ScriptAutoConfiguration.Hints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/idempotent/form/script/idempotent.js"))
			.accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "idempotent.js", "/a/../b.js", "/a b.js", "/*" })
	void aPathThatCannotWorkIsRefused(String path) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> new ScriptProperties(true, path))
			.withMessageContaining("idempotent.web.script.path is '" + path + "'");
	}

	private static HttpResponse<String> post(String path, String key, String redirect) {
		return send(request(path).headers("Payment-Key", key, "Idempotent-Redirect", redirect)
			.POST(BodyPublishers.noBody()));
	}

	private static HttpResponse<String> get(String path, String... headers) {
		HttpRequest.Builder request = request(path);
		return send((headers.length > 0) ? request.headers(headers) : request);
	}

	private static HttpRequest.Builder request(String path) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/shop" + path));
	}

	private static HttpResponse<String> send(HttpRequest.Builder request) {
		return HttpClient.newHttpClient().sendAsync(request.build(), BodyHandlers.ofString()).join();
	}

	private static String header(HttpResponse<?> response, String name) {
		return response.headers().firstValue(name).orElse("");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		SecurityFilterChain security(HttpSecurity http) {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers(PathRequest.toStaticResources().atCommonLocations())
							.permitAll()
							.requestMatchers("/view", "/entity", "/broken", "/withdrawn", "/error")
							.permitAll()
							.anyRequest()
							.authenticated())
				.formLogin(Customizer.withDefaults())
				.csrf(AbstractHttpConfigurer::disable)
				.build();
		}

		@Bean
		Orders orders() {
			return new Orders();
		}

	}

	/**
	 * Redirects of two kinds.
	 */
	@Controller
	@ApiIdempotent(KeySource.HEADER)
	static class Orders {

		@PostMapping("/view")
		String view() {
			return "redirect:/done";
		}

		@PostMapping("/entity")
		ResponseEntity<Void> entity() {
			return ResponseEntity.status(HttpStatus.SEE_OTHER).location(URI.create("/done")).build();
		}

		@PostMapping("/broken")
		void broken(HttpServletResponse response) {
			response.setStatus(303);
			response.setHeader("Location", "/done");
			throw new IllegalStateException("The order was not placed");
		}

		@PostMapping("/withdrawn")
		void withdrawn(HttpServletResponse response) {
			response.setStatus(303);
			response.setHeader("Location", "/done");
			response.setStatus(500);
		}

	}

}
