package io.idempotent.administration.autoconfigure;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.Unchecked;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * A real application with Spring Security and the endpoint, on a real Tomcat and Redis,
 * and a client of it.
 */
public final class OperatorServer implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final ConfigurableApplicationContext context;

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final @Nullable EmbeddedRedis redis;

	private OperatorServer(ConfigurableApplicationContext context, @Nullable EmbeddedRedis redis) {
		this.context = context;
		this.redis = redis;
	}

	/** With a Redis of its own, which ends with it. */
	static OperatorServer start(List<Class<?>> configurations, String... properties) {
		EmbeddedRedis redis = EmbeddedRedis.start();
		return new OperatorServer(run(redis, configurations, properties), redis);
	}

	/** With a Redis that others use, too. */
	public static OperatorServer start(EmbeddedRedis redis, String... properties) {
		return new OperatorServer(run(redis, List.of(), properties), null);
	}

	private static ConfigurableApplicationContext run(EmbeddedRedis redis, List<Class<?>> configurations,
			String... properties) {
		List<Class<?>> sources = new ArrayList<>(configurations);
		sources.add(Application.class);
		List<String> all = new ArrayList<>(
				List.of("server.port=0", "spring.main.banner-mode=off", "spring.application.name=shop",
						"spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
						"management.endpoints.web.exposure.include=*", "logging.level.root=warn"));
		all.addAll(List.of(properties));
		return new SpringApplicationBuilder(sources.toArray(Class[]::new)).web(WebApplicationType.SERVLET)
			.properties(all.toArray(String[]::new))
			.run();
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	int port(String name) {
		return this.context.getEnvironment().getRequiredProperty(name, Integer.class);
	}

	public HttpRequest.Builder request(@Nullable String caller, String path) {
		return as(caller, HttpRequest.newBuilder(URI.create("http://localhost:" + port("local.server.port") + path)));
	}

	HttpRequest.Builder post(@Nullable String caller, String path, String contentType, String body) {
		return request(caller, path).header("Content-Type", contentType).POST(BodyPublishers.ofString(body));
	}

	/**
	 * Reads the endpoint as the reader.
	 */
	Answer get(String view, String... parameters) {
		return answer(management("reader", view + query(parameters)));
	}

	/**
	 * Writes to the endpoint as the operator.
	 */
	Answer post(String... members) {
		return answer(management("operator", "").header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json(members))));
	}

	/**
	 * A request to the endpoint on the port of the actuator.
	 */
	HttpRequest.Builder management(@Nullable String user, String view) {
		String url = this.context.getEnvironment()
			.resolvePlaceholders("http://localhost:${local.management.port:${local.server.port}}"
					+ "${server.servlet.context-path:}${spring.mvc.servlet.path:}"
					+ "${management.endpoints.web.base-path:/actuator}/idempotent");
		return as(user, HttpRequest.newBuilder(URI.create(url + view)));
	}

	void stopRedis() {
		Objects.requireNonNull(this.redis).stop();
	}

	public Answer answer(HttpRequest.Builder request) {
		HttpResponse<String> response = send(request);
		return new Answer(response.statusCode(), response.body());
	}

	public HttpResponse<String> send(HttpRequest.Builder request) {
		return Unchecked
			.call(() -> this.client.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString()));
	}

	static HttpRequest.Builder as(@Nullable String user, HttpRequest.Builder request) {
		return (user == null) ? request : request.header("Authorization",
				"Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8)));
	}

	static String query(String... parameters) {
		return (parameters.length == 0) ? ""
				: "?" + pairs(parameters).entrySet()
					.stream()
					.map((pair) -> pair.getKey() + "=" + URLEncoder.encode(pair.getValue(), StandardCharsets.UTF_8))
					.collect(Collectors.joining("&"));
	}

	static String json(String... members) {
		return JSON.writeValueAsString(pairs(members));
	}

	private static Map<String, String> pairs(String... names) {
		Map<String, String> pairs = new LinkedHashMap<>();
		for (int i = 0; i < names.length; i += 2) {
			pairs.put(names[i], names[i + 1]);
		}
		return pairs;
	}

	@Override
	public void close() {
		this.context.close();
		if (this.redis != null) {
			this.redis.close();
		}
	}

	/**
	 * A response of the endpoint.
	 */
	public record Answer(int status, String body) {

		JsonNode json() {
			return JSON.readTree(this.body);
		}

		String text(String path) {
			return json().at("/" + path.replace('.', '/')).asString("");
		}

	}

	/**
	 * Operations are open to all; the endpoint is for readers, and writing to it for
	 * operators.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.httpBasic(Customizer.withDefaults())
				.authorizeHttpRequests((requests) -> requests
					.requestMatchers(HttpMethod.POST, "/actuator/idempotent", "/actuator/locks", "/manage/idempotent")
					.hasRole("OPERATOR")
					.requestMatchers("/actuator/**", "/manage/**")
					.hasAnyRole("READER", "OPERATOR")
					.anyRequest()
					.permitAll())
				.build();
		}

		/**
		 * Only finds users. A manager would encode their passwords, to be compared
		 * slowly.
		 */
		@Bean
		UserDetailsService users() {
			InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(user("ann", "CUSTOMER"),
					user("bob", "CUSTOMER"), user("reader", "READER"), user("operator", "OPERATOR"));
			return (name) -> users.loadUserByUsername(name);
		}

		@Bean
		AuditEventRepository auditEventRepository() {
			return new InMemoryAuditEventRepository();
		}

		/** A path may have matrix parameters. */
		@Bean
		HttpFirewall httpFirewall() {
			StrictHttpFirewall firewall = new StrictHttpFirewall();
			firewall.setAllowSemicolon(true);
			return firewall;
		}

		private static UserDetails user(String name, String role) {
			return User.withUsername(name).password("{noop}secret").roles(role).build();
		}

	}

}
