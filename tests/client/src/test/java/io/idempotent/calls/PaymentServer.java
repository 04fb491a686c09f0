package io.idempotent.calls;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * A service that makes payments: an application on Tomcat, with its records in Redis.
 */
final class PaymentServer implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private PaymentServer(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static PaymentServer start(Ledger ledger, int redis, String... properties) {
		return new PaymentServer(new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("spring.application.name=payments", "server.port=0", "spring.data.redis.port=" + redis,
					"idempotent.lock.enabled=false", "logging.level.root=error", "spring.main.banner-mode=off")
			.properties(properties)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(Ledger.class, () -> ledger))
			.run());
	}

	int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/** The next payment waits until the latch is open. */
	void hold(CountDownLatch latch) {
		this.context.getBean(PaymentController.class).hold(latch);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(PaymentController.class)
	static class Application {

	}

	@RestController
	static class PaymentController {

		private final Ledger ledger;

		private final AtomicReference<@Nullable CountDownLatch> latch = new AtomicReference<>();

		@Autowired
		PaymentController(Ledger ledger) {
			this.ledger = ledger;
		}

		void hold(CountDownLatch next) {
			this.latch.set(next);
		}

		@PostMapping("/payments")
		@ResponseStatus(HttpStatus.CREATED)
		@ApiIdempotent(KeySource.HEADER)
		Payment pay(@RequestBody NewPayment payment) throws InterruptedException {
			CountDownLatch held = this.latch.getAndSet(null);
			if (held != null) {
				held.await();
			}
			return this.ledger.settle(payment);
		}

	}

}
