package io.idempotent.ui.autoconfigure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The page for operators in an application on Tomcat.
 */
@Tag("slow")
class OperationsPageTests {

	private static final Pattern META = Pattern.compile(
			"<meta name=\"idempotent-endpoint\" content=\"(\\w+)\"(?: data-path=\"([^\"]*)\")? data-writable=\"(\\w+)\">");

	/** The application of tests that start none of their own. */
	@AutoClose
	private static ConfigurableApplicationContext plain;

	private final HttpClient client = HttpClient.newHttpClient();

	private ConfigurableApplicationContext application = plain;

	@BeforeAll
	static void start() {
		plain = run(Open.class);
	}

	@AfterEach
	void close() {
		if (this.application != plain) {
			this.application.close();
		}
	}

	@Nested
	class WithoutSecurity {

		@Test
		void thePageAndItsFilesAreServed() {
			HttpResponse<String> page = get("/idempotent");
			assertThat(page.statusCode()).isEqualTo(200);
			assertThat(header(page, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
			assertThat(files(page)).contains("idempotent/main.js", "idempotent/page.css", "idempotent/icon.svg")
				.allSatisfy((file) -> assertThat(get("/" + file).statusCode()).isEqualTo(200));
			assertThat(header(get("/idempotent/main.js"), "Content-Type")).isEqualTo("text/javascript");
		}

		@Test
		void theBrowserLoadsNothingElseAndKeepsNothing() {
			HttpResponse<String> page = get("/idempotent");
			assertThat(header(page, "Content-Security-Policy")).startsWith("default-src 'none'; script-src 'self'; ")
				.contains("frame-ancestors 'none'", "require-trusted-types-for 'script'")
				.doesNotContain("unsafe");
			assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
			assertThat(header(page, "Cache-Control")).isEqualTo("no-store");
		}

		@Test
		void anUnchangedFileIsNotSentAgain() {
			String etag = header(get("/idempotent/main.js"), "ETag");
			assertThat(etag).isNotEmpty();
			assertThat(get("/idempotent/main.js", "If-None-Match", etag).statusCode()).isEqualTo(304);
			assertThat(get("/idempotent/main.js", "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
		}

		@ParameterizedTest
		@ValueSource(strings = { "/idempotent/none.js", "/idempotent/..%2Findex.html", "/idempotent/%2e%2e/index.html",
				"/idempotent/..;/index.html", "/idempotent/..%5Cindex.html", "/idempotent/" })
		void nothingElseIsServed(String path) {
			assertThat(get(path).statusCode()).isBetween(400, 404);
		}

		@Test
		void theLanguageIsThatOfTheBrowser() {
			assertThat(get("/idempotent", "Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8").body())
				.contains("<html lang=\"zh\">");
			assertThat(get("/idempotent", "Accept-Language", "de").body()).contains("<html lang=\"en\">");
		}

		@Test
		void thePageIsOnlyRead() {
			assertThat(send(request("/idempotent").POST(BodyPublishers.noBody())).statusCode()).isEqualTo(405);
		}

	}

	@Nested
	class Endpoints {

		@Test
		void whatIsNotExposedHasNoPath() {
			assertThat(endpoints("/idempotent")).containsExactly("idempotent null false", "idempotentsteps null false",
					"idempotentdetector null false", "locks null false", "metrics null false",
					"auditevents null false");
		}

		@Test
		void pathsAreRelativeToThePage() {
			start(Open.class, "management.endpoints.web.exposure.include=locks,metrics",
					"idempotent.ui.path=/ops/submissions");
			assertThat(endpoints("/ops/submissions")).contains("locks ../actuator/locks false",
					"metrics ../actuator/metrics false");
			assertThat(get("/ops/submissions/main.js").statusCode()).isEqualTo(200);
			assertThat(get("/idempotent").statusCode()).isEqualTo(404);
		}

		@Test
		void otherPathsAreFollowed() {
			start(Open.class, "management.endpoints.web.exposure.include=locks",
					"management.endpoints.web.base-path=/manage", "management.endpoints.web.path-mapping.locks=sperren",
					"management.endpoint.locks.access=unrestricted");
			assertThat(endpoints("/idempotent")).contains("locks ./manage/sperren true");
		}

		@Test
		void theContextPathBelongsToAll() {
			start(Open.class, "server.servlet.context-path=/shop", "spring.mvc.servlet.path=/api",
					"management.endpoints.web.exposure.include=metrics");
			assertThat(endpoints("/shop/api/idempotent")).contains("metrics ./actuator/metrics false");
			assertThat(get("/shop/api/actuator/metrics").statusCode()).isEqualTo(200);
		}

		@Test
		void thePageIsOnTheManagementPortIfThereIsOne() {
			start(Open.class, "management.server.port=0", "management.server.base-path=/internal",
					"management.endpoints.web.exposure.include=metrics");
			assertThat(get("/idempotent").statusCode()).isEqualTo(404);
			int management = port("local.management.port");
			HttpResponse<String> page = send(request(management, "/internal/idempotent"));
			assertThat(page.body()).contains("data-path=\"./actuator/metrics\"");
			assertThat(send(request(management, "/internal/idempotent/main.js")).statusCode()).isEqualTo(200);
			assertThat(send(request(management, "/internal/actuator/metrics")).statusCode()).isEqualTo(200);
		}

	}

	@Nested
	class WithSecurity {

		private static final String CHANGE = "/actuator/change";

		/** "operator:secret", encoded. */
		private static final String OPERATOR = "Basic b3BlcmF0b3I6c2VjcmV0";

		private final String[] properties = { "spring.security.user.name=operator",
				"spring.security.user.password=secret", "management.endpoints.web.exposure.include=change" };

		@Test
		void nobodySeesThePageWithoutALogin() {
			start(Secured.class, this.properties);
			assertThat(get("/idempotent").statusCode()).isEqualTo(401);
			assertThat(get("/idempotent/main.js").statusCode()).isEqualTo(401);
		}

		@Test
		void thePageCarriesTheCsrfTokenOfTheSession() {
			start(Secured.class, this.properties);
			HttpResponse<String> page = get("/idempotent", "Authorization", OPERATOR);
			assertThat(page.statusCode()).isEqualTo(200);
			String cookie = header(page, "Set-Cookie").replaceAll(";.*", "");
			assertThat(change(cookie).statusCode()).isIn(401, 403);
			assertThat(change(cookie, meta(page, "_csrf_header"), "wrong").statusCode()).isIn(401, 403);
			assertThat(change(cookie, meta(page, "_csrf_header"), meta(page, "_csrf")).statusCode()).isEqualTo(204);
		}

		private HttpResponse<String> change(String cookie, String... headers) {
			List<String> all = new ArrayList<>(
					List.of("Cookie", cookie, "Authorization", OPERATOR, "Content-Type", "application/json"));
			all.addAll(List.of(headers));
			return send(request(CHANGE).POST(BodyPublishers.ofString("{}")).headers(all.toArray(String[]::new)));
		}

		private static String meta(HttpResponse<String> page, String name) {
			Matcher meta = Pattern.compile("<meta name=\"" + name + "\" content=\"([^\"]+)\">").matcher(page.body());
			assertThat(meta.find()).as(name).isTrue();
			return meta.group(1);
		}

	}

	@Nested
	class Properties {

		@ParameterizedTest
		@ValueSource(strings = { "idempotent.ui.enabled=false", "idempotent.enabled=false" })
		void thePageCanBeSwitchedOff(String property) {
			start(Open.class, property);
			assertThat(get("/idempotent").statusCode()).isEqualTo(404);
			assertThat(get("/idempotent/main.js").statusCode()).isEqualTo(404);
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "/", "idempotent", "/idempotent/", "/a/../b", "/a b", "/*", "/{path}" })
		void aPathThatCannotWorkIsRefused(String path) {
			assertThatExceptionOfType(InvalidConfigurationException.class)
				.isThrownBy(() -> new OperationsPageProperties(true, path))
				.withMessageContaining("idempotent.ui.path is '" + path + "'");
		}

		@Test
		void aPathOfAnEndpointFailsTheStart() {
			assertThatException()
				.isThrownBy(() -> start(Open.class, "management.server.port=0", "management.endpoints.web.base-path=/",
						"management.endpoints.web.exposure.include=metrics", "idempotent.ui.path=/metrics"))
				.havingRootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.withMessageContaining("an actuator endpoint, the token endpoint or the script has this path");
		}

		@ParameterizedTest
		@ValueSource(strings = { "/token", "/idempotent.js" })
		void aPathOfTheLibraryFailsTheStart(String path) {
			assertThatExceptionOfType(InvalidConfigurationException.class)
				.isThrownBy(() -> start(Open.class, "idempotent.ui.path=" + path))
				.withMessageContaining("has this path");
		}

	}

	private void start(Class<?> configuration, String... properties) {
		this.application = run(configuration, properties);
	}

	private static ConfigurableApplicationContext run(Class<?> configuration, String... properties) {
		return new SpringApplicationBuilder(configuration)
			.properties("server.port=0", "spring.main.banner-mode=off", "idempotent.store.type=local",
					"idempotent.lock.engines=local", "idempotent.ui.enabled=true", "logging.level.root=warn")
			.run(Stream.of(properties).map("--"::concat).toArray(String[]::new));
	}

	private HttpResponse<String> get(String path, String... headers) {
		HttpRequest.Builder request = request(path);
		return send((headers.length > 0) ? request.headers(headers) : request);
	}

	private HttpRequest.Builder request(String path) {
		return request(port("local.server.port"), path);
	}

	private static HttpRequest.Builder request(int port, String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
	}

	private int port(String property) {
		return this.application.getEnvironment().getRequiredProperty(property, Integer.class);
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		return Unchecked.call(() -> this.client.send(request.build(), BodyHandlers.ofString()));
	}

	private List<String> endpoints(String page) {
		return META.matcher(get(page).body())
			.results()
			.map((meta) -> meta.group(1) + " " + meta.group(2) + " " + meta.group(3))
			.toList();
	}

	private static List<String> files(HttpResponse<String> page) {
		return Pattern.compile("(?:href|src)=\"([^#\"]+)\"")
			.matcher(page.body())
			.results()
			.map((link) -> link.group(1))
			.toList();
	}

	private static String header(HttpResponse<?> response, String name) {
		return response.headers().firstValue(name).orElse("");
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

		@Bean
		ChangeEndpoint changeEndpoint() {
			return new ChangeEndpoint();
		}

	}

	/**
	 * Something that an operator may change.
	 */
	@Endpoint(id = "change")
	static class ChangeEndpoint {

		@WriteOperation
		void change() {
			// The response is what counts.
		}

	}

}
