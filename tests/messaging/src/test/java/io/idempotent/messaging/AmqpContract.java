package io.idempotent.messaging;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.testing.QpidBroker;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.core.Queue;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Messages of AMQP 0-9-1, which RabbitMQ speaks, from Apache Qpid Broker-J.
 */
abstract class AmqpContract extends PaymentsContract {

	private final QpidBroker broker = new QpidBroker();

	private final String[] options;

	AmqpContract(Class<?> listener, String... options) {
		super(listener);
		this.options = options;
	}

	@Override
	List<String> startBroker() throws Exception {
		this.broker.start("payments");
		List<String> properties = new ArrayList<>(List.of(this.options));
		properties.addAll(List.of("spring.rabbitmq.port=" + this.broker.port(), "spring.rabbitmq.virtual-host=default",
				"spring.autoconfigure.exclude="
						+ "org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration"));
		return properties;
	}

	@Override
	void stopBroker() {
		this.broker.close();
	}

	@Override
	void declare(ConfigurableApplicationContext application, String queue) {
		application.getBean(AmqpAdmin.class).declareQueue(new Queue(queue));
	}

	@Override
	void send(ConfigurableApplicationContext application, String queue, String payment, String id) {
		application.getBean(AmqpTemplate.class).convertAndSend(queue, (Object) payment, (message) -> {
			message.getMessageProperties().setMessageId(id);
			return message;
		});
	}

}
