package com.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Orders by JSON, reviews by form.
 */
@SpringBootApplication
public class OrderApplication {

	public static void main(String[] arguments) {
		SpringApplication.run(OrderApplication.class, arguments);
	}

}
