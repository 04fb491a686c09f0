package io.idempotent.steps.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.idempotent.Idempotent;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.Resumable;
import io.idempotent.steps.autoconfigure.PaymentApplication.Invoices;
import io.idempotent.steps.autoconfigure.PaymentApplication.NewOrder;
import io.idempotent.steps.autoconfigure.PaymentApplication.TestProvider;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** A call with the stored arguments must not be another operation. */
class ResumableKeyTests {

	private final TestProvider provider = new TestProvider();

	private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@Test
	void anApplicationDoesNotCallOperationsOfAnotherNamespace() {
		this.provider.mailFails.set(true);
		try (ConfigurableApplicationContext shop = start("idempotent.namespace=shop")) {
			assertThatIllegalStateException().isThrownBy(
					() -> shop.getBean(Invoices.class).remind(new NewOrder("tea", 3), List.of("a@example.com")));
		}
		this.provider.mailFails.set(false);
		try (ConfigurableApplicationContext other = start("idempotent.namespace=wholesale")) {
			assertThat(other.isRunning()).isTrue();
			await().during(Duration.ofSeconds(3)).untilAsserted(() -> assertThat(this.provider.charges).hasSize(1));
		}
	}

	/** JSON does not keep the order of this set, of which the key is written. */
	@Test
	void aCallWhoseKeyDiffersChargesNobodyTwice() {
		try (ConfigurableApplicationContext node = start("idempotent.steps.resume.after=500ms")) {
			this.provider.mailFails.set(true);
			assertThatIllegalStateException().isThrownBy(
					() -> node.getBean(Bookings.class).book(new LinkedHashSet<>(List.of("tea", "cake", "b", "a"))));
			this.provider.mailFails.set(false);
			await().until(() -> node.getBean(MeterRegistry.class).find("idempotent.steps.resumed").counter() != null);
			assertThat(this.provider.charges).hasSize(1);
		}
	}

	private ConfigurableApplicationContext start(String... properties) {
		return PaymentApplication.start(this.provider, this.database, Bookings.class, properties);
	}

	static class Bookings {

		private final TestProvider provider;

		private final ObjectProvider<OperationStepsFactory> steps;

		Bookings(TestProvider provider, ObjectProvider<OperationStepsFactory> steps) {
			this.provider = provider;
			this.steps = steps;
		}

		@Idempotent(key = "#items")
		@Resumable
		void book(Set<String> items) {
			this.steps.getObject().current().external("charge", String.class, (key) -> this.provider.charge(key, "x"));
			this.steps.getObject().current().external("mail", this.provider::mail);
		}

	}

}
