package io.idempotent.calls;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.client.DerivedKeyProcessor;
import io.idempotent.client.IdempotentClientInterceptor;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.service.registry.ImportHttpServices;

/**
 * A service that takes orders, and calls the payments for each.
 */
final class ShopServer implements AutoCloseable {

	/** Printed by a process when it is ready. */
	static final String LISTENING = "listening on ";

	private final ConfigurableApplicationContext context;

	private ShopServer(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static ShopServer start(String payments, int redis) {
		Map<String, Object> properties = Map.of("spring.application.name", "shop", "server.port", 0,
				"spring.data.redis.port", redis, "idempotent.lock.enabled", false,
				"spring.http.serviceclient.payments.base-url", payments, "logging.level.root", "off",
				"spring.main.banner-mode", "off");
		return new ShopServer(new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties(properties)
			.run());
	}

	/**
	 * The shop as a process that can be killed.
	 * @param arguments the address of the payments, and the port of Redis
	 */
	@SuppressWarnings("resource")
	public static void main(String[] arguments) {
		ShopServer shop = start(arguments[0], Integer.parseInt(arguments[1]));
		System.out.println(LISTENING + shop.port());
	}

	int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	Payment order(NewPayment payment, String key, Crash crash, Keys keys) {
		return order("http://localhost:" + port(), payment, key, crash, keys);
	}

	/** Sends an order, and again while another run of it may still live. */
	Payment orderUntilDone(NewPayment payment, String key, Crash crash) {
		RestClient client = Clients.restClient("http://localhost:" + port());
		return order(client, payment, key, crash, Keys.DERIVED);
	}

	/** Sends an order once. */
	static Payment order(String url, NewPayment payment, String key, Crash crash, Keys keys) {
		return order(RestClient.create(url), payment, key, crash, keys);
	}

	private static Payment order(RestClient client, NewPayment payment, String key, Crash crash, Keys keys) {
		return Objects.requireNonNull(client.post()
			.uri("/orders?crash={crash}&keys={keys}", crash, keys)
			.header("Idempotency-Key", key)
			.body(payment)
			.retrieve()
			.body(Payment.class));
	}

	/** A client of the shop that repeats its calls. */
	static Clients.Client client(String url) {
		RestClient client = Clients.restClient(url);
		return (payment) -> Objects.requireNonNull(client.post()
			.uri("/orders?crash={crash}&keys={keys}", Crash.NONE, Keys.DERIVED)
			.body(payment)
			.retrieve()
			.body(Payment.class));
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * What happens to the first run after it has paid.
	 */
	enum Crash {

		NONE, THROW, HALT

	}

	/**
	 * Where the keys of the payments come from.
	 */
	enum Keys {

		DERIVED, DRAWN

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ OrderController.class, PaymentConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "payments", types = PaymentClient.class)
	static class PaymentConfiguration {

		@Bean
		RestClientHttpServiceGroupConfigurer idempotentPayments(IdempotentClientInterceptor interceptor,
				DerivedKeyProcessor derivedKeys) {
			return (groups) -> groups.filterByName("payments").forEachGroup((group, client, factory) -> {
				client.requestInterceptors((interceptors) -> interceptors.add(0, interceptor));
				factory.httpRequestValuesProcessor(derivedKeys);
			});
		}

	}

	@RestController
	static class OrderController {

		private final PaymentClient payments;

		/** The orders whose first run has crashed. */
		private final Set<String> crashed = ConcurrentHashMap.newKeySet();

		@Autowired
		OrderController(PaymentClient payments) {
			this.payments = payments;
		}

		@PostMapping("/orders")
		@ApiIdempotent(value = KeySource.HEADER, lease = "1s")
		Payment order(@RequestBody NewPayment order, @RequestParam Crash crash, @RequestParam Keys keys,
				IdempotencyContext run) {
			Payment payment = (keys == Keys.DRAWN) ? this.payments.pay(order) : this.payments.charge(order);
			if (crash == Crash.THROW && this.crashed.add(order.reference())) {
				throw new IllegalStateException("crash");
			}
			if (crash == Crash.HALT && run.attempt() == 1) {
				Runtime.getRuntime().halt(1);
			}
			return payment;
		}

	}

}
