package io.idempotent.conformance;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.conformance.Target.Option;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * A real application with the starter's auto-configuration, on a real Tomcat.
 */
final class Shop implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private Shop(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Shop start(String... properties) {
		String[] all = Stream.concat(Stream.of("server.port=0", "spring.main.banner-mode=off",
				"idempotent.store.type=local", "logging.level.root=error"), Stream.of(properties))
			.toArray(String[]::new);
		return new Shop(
				new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET).properties(all).run());
	}

	Target target() {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		return Target
			.of(URI.create("http://localhost:" + port + "/orders"),
					"{\"sku\":\"green-tea\",\"quantity\":1,\"labels\":[\"gift\",\"fragile\"]}")
			.with(Option.OTHER_BODY, "{\"sku\":\"oolong\",\"quantity\":2}")
			.with(Option.COUNT_URL, "/orders/count")
			.with(Option.SLOW_URL, "/orders/slow")
			.with(Option.CLIENT_ERROR_URL, "/orders/declined")
			.with(Option.SERVER_ERROR_URL, "/orders/broken")
			.with(Option.OTHER_URL, "/gifts")
			.with(Option.DOCUMENTATION_URL, "/documentation")
			.header("X-User", "alice")
			.otherUser("X-User", "bob");
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Orders.class)
	static class Application {

		@Bean
		CallerResolver callerResolver() {
			return (request) -> {
				String user = request.getHeader("X-User");
				return (user != null) ? Caller.named(user) : Caller.ANONYMOUS;
			};
		}

	}

	@RestController
	static class Orders {

		private final AtomicLong effects = new AtomicLong();

		private final AtomicLong attempts = new AtomicLong();

		@PostMapping({ "/orders", "/gifts" })
		@ApiIdempotent(KeySource.HEADER)
		ResponseEntity<Map<String, Long>> create(@RequestBody Map<String, Object> order) {
			long id = this.effects.incrementAndGet();
			return ResponseEntity.created(URI.create("/orders/" + id))
				.header(HttpHeaders.ETAG, "\"" + id + "\"")
				.header(HttpHeaders.SET_COOKIE, "last=" + id)
				.body(Map.of("id", id));
		}

		@PostMapping("/orders/slow")
		@ApiIdempotent(KeySource.HEADER)
		Map<String, Long> createSlowly(@RequestBody Map<String, Object> order) throws InterruptedException {
			Thread.sleep(500);
			return Map.of("id", this.effects.incrementAndGet());
		}

		@PostMapping("/orders/declined")
		@ApiIdempotent(KeySource.HEADER)
		ResponseEntity<Map<String, Long>> decline(@RequestBody Map<String, Object> order) {
			return ResponseEntity.status(402).body(Map.of("attempt", this.attempts.incrementAndGet()));
		}

		@PostMapping("/orders/broken")
		@ApiIdempotent(KeySource.HEADER)
		ResponseEntity<Map<String, Long>> fail(@RequestBody Map<String, Object> order) {
			return ResponseEntity.status(500).body(Map.of("attempt", this.attempts.incrementAndGet()));
		}

		@GetMapping("/orders/count")
		Map<String, Long> count() {
			return Map.of("count", this.effects.get());
		}

		@GetMapping("/documentation")
		List<String> documentation() {
			return List.of("Keys are retained for 24 hours.");
		}

	}

}
