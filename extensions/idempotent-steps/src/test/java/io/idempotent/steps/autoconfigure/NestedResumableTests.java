package io.idempotent.steps.autoconfigure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.Resumable;
import io.idempotent.steps.autoconfigure.PaymentApplication.TestProvider;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

class NestedResumableTests {

	private final TestProvider provider = new TestProvider();

	private ConfigurableApplicationContext start() {
		ConfigurableApplicationContext node = PaymentApplication.start(this.provider,
				"jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", Controllers.class,
				"idempotent.steps.resume.enabled=false");
		node.getBean(JdbcTemplate.class).execute("create table orders (item varchar(100))");
		return node;
	}

	@Test
	void aRepeatOfARequestContinuesTheResumableMethod() throws Exception {
		try (ConfigurableApplicationContext node = start()) {
			this.provider.mailFails.set(true);
			assertThat(post(node, "tea").statusCode()).isEqualTo(500);
			this.provider.mailFails.set(false);
			HttpResponse<String> repeat = post(node, "tea");
			assertThat(repeat.body()).isEqualTo("charge of tea");
			assertThat(repeat.statusCode()).isEqualTo(200);
			assertThat(post(node, "tea").body()).isEqualTo("charge of tea");
			assertThat(this.provider.mails).hasSize(1);
		}
	}

	@Test
	void anotherContentDoesNotContinueTheResumableMethod() throws Exception {
		try (ConfigurableApplicationContext node = start()) {
			this.provider.mailFails.set(true);
			assertThat(post(node, "tea").statusCode()).isEqualTo(500);
			this.provider.mailFails.set(false);
			assertThat(post(node, "coffee").statusCode()).isEqualTo(422);
		}
	}

	private HttpResponse<String> post(ConfigurableApplicationContext to, String body) throws Exception {
		String port = to.getEnvironment().getProperty("local.server.port");
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/nested"))
				.header("Content-Type", "text/plain")
				.header("Idempotency-Key", "\"1\"")
				.POST(HttpRequest.BodyPublishers.ofString(body))
				.build(), HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	static class Controllers {

		@Bean
		Nested nested(TestProvider provider, OperationStepsFactory steps, JdbcTemplate sql) {
			return new Nested(provider, steps, sql);
		}

		@Bean
		Controller controller(Nested nested) {
			return new Controller(nested);
		}

	}

	static class Nested {

		private final TestProvider provider;

		private final OperationStepsFactory steps;

		private final JdbcTemplate sql;

		Nested(TestProvider provider, OperationStepsFactory steps, JdbcTemplate sql) {
			this.provider = provider;
			this.steps = steps;
			this.sql = sql;
		}

		@Idempotent(key = "#request")
		@Resumable
		public String pay(String request, String item) {
			OperationSteps running = this.steps.current();
			String charge = running.external("charge", String.class, (key) -> this.provider.charge(key, item));
			running.transactional("book", () -> {
				this.sql.update("insert into orders (item) values (?)", item);
			});
			running.external("mail", this.provider::mail);
			return charge;
		}

	}

	@RestController
	static class Controller {

		private final Nested nested;

		Controller(Nested nested) {
			this.nested = nested;
		}

		@PostMapping("/nested")
		@ApiIdempotent(KeySource.HEADER)
		public String pay(@RequestBody String item, IdempotencyContext context) {
			return this.nested.pay(context.key(), item);
		}

	}

}
