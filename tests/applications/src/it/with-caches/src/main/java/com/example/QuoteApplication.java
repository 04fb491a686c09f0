package com.example;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Asks for a quote twice and says where it was cached, and how the application is.
 */
@SpringBootApplication
@EnableCaching
public class QuoteApplication {

	public static void main(String[] arguments) {
		try (ConfigurableApplicationContext context = SpringApplication.run(QuoteApplication.class, arguments)) {
			report(context.getBean(Quotes.class), context.getBean(CacheManager.class),
					context.getBean(HealthEndpoint.class));
		}
	}

	private static void report(Quotes quotes, CacheManager caches, HealthEndpoint health) {
		System.out.println("Quote: " + quotes.find("a") + quotes.find("a"));
		System.out.println("Cache: " + caches.getClass().getSimpleName());
		CompositeHealthDescriptor found = (CompositeHealthDescriptor) health.health();
		System.out.println("Health: " + found.getStatus() + ", redis " + found.getComponents().containsKey("redis"));
	}

	@Bean
	Quotes quotes() {
		return new Quotes();
	}

	static class Quotes {

		private final AtomicInteger found = new AtomicInteger();

		/** Not serializable, as many cached values are not. */
		@Cacheable("quotes")
		public Quote find(String name) {
			return new Quote(this.found.incrementAndGet());
		}

	}

	record Quote(int number) {
	}

}
