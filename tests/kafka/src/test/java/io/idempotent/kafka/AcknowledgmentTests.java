package io.idempotent.kafka;

import javax.sql.DataSource;

import io.idempotent.Idempotent;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;

import static org.assertj.core.api.Assertions.assertThatException;

/** A repeat is not run, so that its listener cannot acknowledge it. */
class AcknowledgmentTests {

	@Test
	void aListenerThatAcknowledgesByHandIsRefused() {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(Shop.class, Listener.class)
				.initializers((GenericApplicationContext context) -> context.registerBean(DataSource.class,
						() -> TestDatabase.h2().dataSource()))
				.run("--shop.consumer=one", "--idempotent.store.type=local", "--spring.kafka.listener.ack-mode=manual"))
			.withMessageContainingAll("Listener.receive", "acknowledges its messages by hand", "ack-mode batch");
	}

	static class Listener {

		@KafkaListener(topics = "payments")
		@Idempotent(key = "#payment.id")
		void receive(Payment payment, Acknowledgment acknowledgment) {
			acknowledgment.acknowledge();
		}

	}

}
