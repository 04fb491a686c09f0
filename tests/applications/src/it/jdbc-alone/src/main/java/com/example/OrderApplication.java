package com.example;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Writes orders into a database, each once.
 */
@SpringBootApplication
@RestController
public class OrderApplication {

	private final JdbcClient database;

	private final String node;

	OrderApplication(JdbcClient database, @Value("${node}") String node) {
		this.database = database;
		this.node = node;
	}

	public static void main(String[] arguments) {
		SpringApplication.run(OrderApplication.class, arguments);
	}

	@ApiIdempotent(KeySource.HEADER)
	@PostMapping("/orders")
	String create() {
		this.database.sql("insert into purchase (node) values (?)").param(this.node).update();
		return "order of " + this.node;
	}

}
