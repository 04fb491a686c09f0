package com.example;

import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.lock.DistributedLocked;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes orders, each once and one at a time, and numbers them on each node.
 */
@SpringBootApplication
@RestController
public class OrderApplication {

	private final AtomicInteger orders = new AtomicInteger();

	private final String node;

	OrderApplication(@Value("${node}") String node) {
		this.node = node;
	}

	public static void main(String[] arguments) {
		SpringApplication.run(OrderApplication.class, arguments);
	}

	@ApiIdempotent(KeySource.HEADER)
	@DistributedLocked(name = "orders")
	@PostMapping("/orders")
	String create() {
		return "order %d of %s".formatted(this.orders.incrementAndGet(), this.node);
	}

}
