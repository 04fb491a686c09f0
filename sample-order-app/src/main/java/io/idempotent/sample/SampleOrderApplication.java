package io.idempotent.sample;

import io.idempotent.webmvc.CallerResolver;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Starts the shop.
 */
@EnableScheduling
@SpringBootApplication(proxyBeanMethods = false)
public class SampleOrderApplication {

	/**
	 * Customers need no login, so the keys of the shop's operations contain the customer.
	 * Who has signed in is a caller of their own.
	 */
	@Bean
	CallerResolver callerResolver() {
		return CallerResolver::principal;
	}

	public static void main(String[] args) {
		SpringApplication.run(SampleOrderApplication.class, args);
	}

}
