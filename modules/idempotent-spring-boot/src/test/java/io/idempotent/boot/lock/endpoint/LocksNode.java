package io.idempotent.boot.lock.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLocks;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * A node with a secured actuator, whose viewers may read and whose operators may write.
 */
final class LocksNode implements AutoCloseable {

	private final HttpClient client = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private LocksNode(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static LocksNode start(String name, EmbeddedRedis redis, String database, String... more) {
		List<String> properties = new ArrayList<>(List.of("server.port=0", "spring.application.name=shop",
				"idempotent.node=" + name, "spring.data.redis.host=" + redis.host(),
				"spring.data.redis.port=" + redis.port(), "spring.datasource.url=" + database,
				"idempotent.lock.engines=redisson,jdbc,jdbc-transaction,local", "idempotent.lock.lease-time=3s",
				"management.endpoints.web.exposure.include=locks,auditevents"));
		properties.addAll(List.of(more));
		return new LocksNode(
				new SpringApplicationBuilder(Application.class).properties(properties.toArray(String[]::new)).run());
	}

	DistributedLocks locks() {
		return this.context.getBean(DistributedLocks.class);
	}

	AuditEventRepository audit() {
		return this.context.getBean(AuditEventRepository.class);
	}

	Reply get(String user, String query) {
		return send(request(user, query).GET());
	}

	Reply post(String user, Map<String, String> body) {
		return post(user, JsonMapper.shared().writeValueAsString(body));
	}

	Reply post(String user, String body) {
		return send(request(user, "").header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
	}

	private HttpRequest.Builder request(String user, String query) {
		int port = ((WebServerApplicationContext) this.context).getWebServer().getPort();
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/locks" + query));
		if (!user.isEmpty()) {
			String credentials = user + ":" + user;
			request.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
		}
		return request;
	}

	private Reply send(HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = this.client.send(request.build(), BodyHandlers.ofString());
			return new Reply(response.statusCode(), response.body());
		}
		catch (IOException | InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * What the endpoint has replied.
	 */
	record Reply(int status, String body) {

		@SuppressWarnings("unchecked")
		Map<String, Object> json() {
			return JsonMapper.shared().readValue(this.body, Map.class);
		}

		@SuppressWarnings("unchecked")
		List<Map<String, Object>> list(String name) {
			return (List<Map<String, Object>>) json().get(name);
		}

		Map<String, Object> object(String name) {
			@SuppressWarnings("unchecked")
			Map<String, Object> object = (Map<String, Object>) json().get(name);
			return object;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		AuditEventRepository auditEventRepository() {
			return new InMemoryAuditEventRepository();
		}

		/**
		 * Only finds users. A manager would encode their passwords, to be compared
		 * slowly.
		 */
		@Bean
		UserDetailsService users() {
			InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(
					User.withUsername("viewer").password("{noop}viewer").roles("VIEWER").build(),
					User.withUsername("alice").password("{noop}alice").roles("VIEWER", "OPERATOR").build());
			return (name) -> users.loadUserByUsername(name);
		}

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.httpBasic(Customizer.withDefaults())
				.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.GET, "/actuator/**")
					.hasRole("VIEWER")
					.anyRequest()
					.hasRole("OPERATOR"))
				.build();
		}

	}

}
