package io.idempotent.steps.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.Resumable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Charges, books and sends a mail; the mail can fail.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ PaymentApplication.Payments.class, PaymentApplication.Invoices.class })
class PaymentApplication {

	/** Starts a node. */
	static ConfigurableApplicationContext start(TestProvider provider, String database, Class<?> source,
			String... properties) {
		return new SpringApplicationBuilder(PaymentApplication.class, source)
			.initializers(
					(GenericApplicationContext context) -> context.registerBean(TestProvider.class, () -> provider))
			.properties("server.port=0", "idempotent.guard.enabled=true", "spring.datasource.url=" + database,
					"spring.main.banner-mode=off", "management.endpoints.web.exposure.include=idempotentsteps",
					"management.endpoint.idempotentsteps.access=unrestricted", "idempotent.steps.resume.after=1s")
			.run(Stream.of(properties).map("--"::concat).toArray(String[]::new));
	}

	/** Shared by all nodes. */
	static final class TestProvider {

		final Map<String, String> charges = new ConcurrentHashMap<>();

		final List<String> mails = new CopyOnWriteArrayList<>();

		final AtomicBoolean mailFails = new AtomicBoolean();

		void forget() {
			this.charges.clear();
			this.mails.clear();
			this.mailFails.set(false);
		}

		String charge(String key, String order) {
			return this.charges.computeIfAbsent(key, (unused) -> "charge of " + order);
		}

		void mail(String key) {
			if (this.mailFails.get()) {
				throw new IllegalStateException("The mail server is away");
			}
			this.mails.add(key);
		}

	}

	record NewOrder(String item, int amount) {
	}

	record Order(String item, String charge) {
	}

	static final class Basket {

		public String number = "";

		public int total;

	}

	@RestController
	static class Payments {

		private final TestProvider provider;

		private final JdbcTemplate sql;

		private final Invoices invoices;

		Payments(TestProvider provider, JdbcTemplate sql, Invoices invoices) {
			this.provider = provider;
			this.sql = sql;
			this.invoices = invoices;
		}

		@PostMapping("/payments")
		@ResponseStatus(HttpStatus.CREATED)
		@ApiIdempotent(KeySource.HEADER)
		Order pay(@RequestBody NewOrder order, OperationSteps steps) {
			return run(order, steps);
		}

		@PostMapping("/payments-by-content")
		@ApiIdempotent(value = KeySource.CONTENT, key = "#order.item")
		Order payByContent(@RequestBody NewOrder order, OperationSteps steps) {
			return run(order, steps);
		}

		@PostMapping("/nested")
		@ApiIdempotent(KeySource.HEADER)
		String payNested(@RequestBody String item, IdempotencyContext context) {
			return this.invoices.pay(context.key(), item);
		}

		private Order run(NewOrder order, OperationSteps steps) {
			String charge = steps.external("charge", String.class,
					(key) -> this.provider.charge(key, order.item() + " for " + order.amount()));
			Order booked = steps.transactional("book", Order.class, () -> {
				this.sql.update("insert into orders (item) values (?)", order.item());
				return new Order(order.item(), charge);
			});
			steps.external("mail", this.provider::mail);
			return booked;
		}

	}

	@Component
	static class Invoices {

		private final TestProvider provider;

		private final ObjectProvider<OperationStepsFactory> steps;

		private final JdbcTemplate sql;

		Invoices(TestProvider provider, ObjectProvider<OperationStepsFactory> steps, JdbcTemplate sql) {
			this.provider = provider;
			this.steps = steps;
			this.sql = sql;
		}

		@Idempotent(key = "#request")
		@Resumable
		public String pay(String request, String item) {
			OperationSteps running = this.steps.getObject().current();
			String charge = running.external("charge", String.class, (key) -> this.provider.charge(key, item));
			running.transactional("book", () -> {
				this.sql.update("insert into orders (item) values (?)", item);
			});
			running.external("mail", this.provider::mail);
			return charge;
		}

		@Idempotent(key = "#items")
		@Resumable
		void book(Set<String> items) {
			OperationSteps running = this.steps.getObject().current();
			running.external("charge", String.class, (key) -> this.provider.charge(key, "x"));
			running.external("mail", this.provider::mail);
		}

		@Idempotent(key = "#order.item")
		@Resumable
		String remind(NewOrder order, List<String> addresses) {
			return issue(order.item() + " to " + addresses);
		}

		@Idempotent(key = "#basket.number")
		@Resumable
		String checkOut(Basket basket) {
			basket.total += 5;
			OperationSteps running = this.steps.getObject().current();
			running.external("mail", this.provider::mail);
			return running.external("charge", String.class,
					(key) -> this.provider.charge(key, String.valueOf(basket.total)));
		}

		@Idempotent(key = "#number")
		public String issue(String number) {
			OperationSteps running = this.steps.getObject().current();
			String charge = running.external("charge", String.class, (key) -> this.provider.charge(key, number));
			running.external("mail", this.provider::mail);
			return charge;
		}

	}

}
