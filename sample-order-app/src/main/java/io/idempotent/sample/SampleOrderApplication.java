package io.idempotent.sample;

import io.idempotent.webmvc.Caller;
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
	 * The shop has no login, so the keys of its operations contain the customer.
	 */
	@Bean
	CallerResolver callerResolver() {
		return (request) -> Caller.ANONYMOUS;
	}

	public static void main(String[] args) {
		SpringApplication.run(SampleOrderApplication.class, args);
	}

}
