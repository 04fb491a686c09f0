package io.idempotent.messaging;

import java.util.List;

import io.idempotent.embedded.Ports;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jms.core.JmsTemplate;

import static io.idempotent.IdempotencyEvent.Type.COMPLETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Messages of ActiveMQ Artemis. The id of their producer is that of a CloudEvent.
 */
class JmsTests extends PaymentsContract {

	private static final String SOURCE = "https://shop.example/checkout";

	private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();

	JmsTests() {
		super(JmsPayments.class);
	}

	@Override
	List<String> startBroker() throws Exception {
		String url = "tcp://127.0.0.1:" + Ports.findFree();
		AddressSettings settings = new AddressSettings().setRedeliveryDelay(200).setMaxDeliveryAttempts(-1);
		Configuration configuration = new ConfigurationImpl().setPersistenceEnabled(false)
			.setSecurityEnabled(false)
			.addAddressSetting("#", settings)
			.addAcceptorConfiguration("tcp", url);
		this.broker.setConfiguration(configuration).start();
		return List.of("spring.artemis.mode=native", "spring.artemis.broker-url=" + url, "spring.autoconfigure.exclude="
				+ "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration");
	}

	@Override
	void stopBroker() throws Exception {
		this.broker.stop();
	}

	@Override
	void declare(ConfigurableApplicationContext application, String queue) {
		// The broker creates it with the first message.
	}

	@Override
	void send(ConfigurableApplicationContext application, String queue, String payment, String id) {
		application.getBean(JmsTemplate.class).convertAndSend(queue, payment, (message) -> {
			message.setStringProperty("ce_id", id);
			message.setStringProperty("ce_source", SOURCE);
			return message;
		});
	}

	@Override
	String key(String id) {
		return SOURCE + " " + id;
	}

	@Test
	@Tag("slow")
	void withoutAnIdOfItsProducerEachMessageIsBooked() {
		JmsTemplate jms = running().getBean(JmsTemplate.class);
		jms.convertAndSend("payments", "p-4");
		jms.convertAndSend("payments", "p-4");
		await().until(() -> tally().of(COMPLETED) == 2);
		assertThat(bookings()).containsExactly("p-4", "p-4");
	}

}
