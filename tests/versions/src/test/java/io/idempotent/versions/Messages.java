package io.idempotent.versions;

import io.idempotent.Idempotent;
import io.idempotent.versions.OrderApplication.NewOrder;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Profile;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.Message;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes orders from each broker, and from another module.
 */
@Component
@Profile(VersionContract.SERVERS)
class Messages {

	static final String QUEUE = "incoming";

	private final Orders orders;

	Messages(Orders orders) {
		this.orders = orders;
	}

	@KafkaListener(topics = QUEUE, groupId = "orders")
	@Idempotent
	@Transactional
	void ofKafka(Message<String> article) {
		this.orders.place(new NewOrder(article.getPayload()));
	}

	@RabbitListener(queues = QUEUE)
	@Idempotent
	@Transactional
	void ofRabbit(Message<String> article) {
		this.orders.place(new NewOrder(article.getPayload()));
	}

	@JmsListener(destination = QUEUE)
	@Idempotent
	@Transactional
	void ofJms(Message<String> article) {
		this.orders.place(new NewOrder(article.getPayload()));
	}

	@ApplicationModuleListener
	@Idempotent
	void ofModule(ArticleSoldOut event) {
		this.orders.place(new NewOrder(event.article()));
	}

	record ArticleSoldOut(String article) {
	}

}
