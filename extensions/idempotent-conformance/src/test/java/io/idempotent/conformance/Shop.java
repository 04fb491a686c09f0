package io.idempotent.conformance;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.conformance.Target.Option;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

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
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

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
	@Import({ Orders.class, Refusals.class })
	static class Application {

		@Bean
		CallerResolver callerResolver() {
			return (request) -> {
				String user = request.getHeader("X-User");
				return (user != null) ? Caller.named(user) : Caller.ANONYMOUS;
			};
		}

	}

	/**
	 * Notes the keys that were refused, so that a slow operation ends after its
	 * duplicate.
	 */
	static class Refusals extends OncePerRequestFilter {

		private final Map<String, CountDownLatch> refused = new ConcurrentHashMap<>();

		void await(String key) throws InterruptedException {
			latch(key).await(5, TimeUnit.SECONDS);
		}

		private CountDownLatch latch(String key) {
			return this.refused.computeIfAbsent(key, (ignored) -> new CountDownLatch(1));
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws IOException, ServletException {
			chain.doFilter(request, response);
			String key = request.getHeader("Idempotency-Key");
			if (key != null && response.getStatus() >= 400) {
				latch(key).countDown();
			}
		}

	}

	@RestController
	static class Orders {

		private final AtomicLong effects = new AtomicLong();

		private final AtomicLong attempts = new AtomicLong();

		private final Refusals refusals;

		Orders(Refusals refusals) {
			this.refusals = refusals;
		}

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
		Map<String, Long> createSlowly(@RequestBody Map<String, Object> order,
				@RequestHeader("Idempotency-Key") String key) throws InterruptedException {
			this.refusals.await(key);
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
