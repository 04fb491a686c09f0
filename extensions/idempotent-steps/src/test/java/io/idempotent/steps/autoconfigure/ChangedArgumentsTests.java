package io.idempotent.steps.autoconfigure;

import java.util.List;
import java.util.UUID;

import io.idempotent.SubmissionRefusedException;
import io.idempotent.steps.autoconfigure.PaymentApplication.Invoices;
import io.idempotent.steps.autoconfigure.PaymentApplication.NewOrder;
import io.idempotent.steps.autoconfigure.PaymentApplication.TestProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ChangedArgumentsTests {

	private final TestProvider provider = new TestProvider();

	/**
	 * As docs/steps.md promises; otherwise a charge of the one is followed by a mail of
	 * the other.
	 */
	@Test
	void aRepeatOfAResumableMethodWithOtherArgumentsIsRefused() {
		try (ConfigurableApplicationContext node = new SpringApplicationBuilder(PaymentApplication.class).initializers(
				(GenericApplicationContext context) -> context.registerBean(TestProvider.class, () -> this.provider))
			.properties("server.port=0", "idempotent.store.type=local", "idempotent.guard.enabled=true",
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())
			.run()) {
			Invoices invoices = node.getBean(Invoices.class);
			this.provider.mailFails.set(true);
			assertThatIllegalStateException()
				.isThrownBy(() -> invoices.remind(new NewOrder("tea", 3), List.of("a@example.com")));
			this.provider.mailFails.set(false);
			assertThatExceptionOfType(SubmissionRefusedException.class)
				.isThrownBy(() -> invoices.remind(new NewOrder("tea", 4), List.of("b@example.com")))
				.withMessageContaining("key-reused");
		}
	}

}
