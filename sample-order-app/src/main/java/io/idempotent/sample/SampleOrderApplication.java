package io.idempotent.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Starts the shop.
 */
@EnableScheduling
@SpringBootApplication(proxyBeanMethods = false)
public class SampleOrderApplication {

	public static void main(String[] args) {
		SpringApplication.run(SampleOrderApplication.class, args);
	}

}
