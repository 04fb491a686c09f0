package com.example;

import io.idempotent.IdempotencyTemplate;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * Pays the invoice that is its argument, once.
 */
@SpringBootApplication
public class PaymentApplication {

	public static void main(String[] arguments) {
		SpringApplication.run(PaymentApplication.class, arguments).close();
	}

	@Bean
	CommandLineRunner payment(IdempotencyTemplate once) {
		return (arguments) -> {
			String invoice = arguments[0];
			once.executeWithoutResult("pay", invoice, (payment) -> System.out.println("Paid " + invoice));
			System.out.println("Done");
		};
	}

}
