package io.idempotent.boot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with a web server, to which one key is submitted three times.
 */
final class ReducedWebApplication {

	private ReducedWebApplication() {
	}

	public static void main(String[] arguments) {
		SpringApplication application = new SpringApplication(Sources.class);
		try (ConfigurableApplicationContext context = application.run("--idempotent.store.type=local",
				"--spring.main.banner-mode=off", "--server.port=0")) {
			submitThrice(context);
		}
	}

	static void submitThrice(ApplicationContext context) {
		URI orders = URI
			.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/orders");
		System.out.println("Answers: " + submit(orders) + submit(orders) + submit(orders));
	}

	private static String submit(URI uri) {
		HttpRequest request = HttpRequest.newBuilder(uri)
			.timeout(Duration.ofSeconds(30))
			.header("Idempotency-Key", "1")
			.POST(BodyPublishers.noBody())
			.build();
		try {
			return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Orders.class)
	static class Sources {

	}

	@RestController
	static class Orders {

		private final AtomicInteger made = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders")
		String create() {
			return String.valueOf(this.made.incrementAndGet());
		}

	}

}
