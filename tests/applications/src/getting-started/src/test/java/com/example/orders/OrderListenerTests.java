package com.example.orders;

import java.util.Map;

import com.example.orders.Orders.Order;
import io.idempotent.test.AutoConfigureIdempotency;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jms.core.JmsClient;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(properties = "billing.cron=-")
@AutoConfigureIdempotency
class OrderListenerTests {

	@Autowired
	private JmsClient broker;

	@Autowired
	private Orders orders;

	@Test
	void aMessageThatIsSentTwiceIsOneOrder() {
		send("id-1", "mate");
		send("id-1", "mate");
		send("id-2", "oolong");
		Awaitility.await().until(() -> this.orders.all().stream().anyMatch((order) -> order.item().equals("oolong")));
		assertThat(this.orders.all()).containsExactly(new Order(1, "mate"), new Order(2, "oolong"));
	}

	private void send(String id, String item) {
		this.broker.destination("orders").send(item, Map.of("orderId", id));
	}

}
