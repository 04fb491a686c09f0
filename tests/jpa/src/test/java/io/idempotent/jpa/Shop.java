package io.idempotent.jpa;

import jakarta.persistence.EntityManager;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * An application with JPA as Spring Boot sets it up.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

	@Bean
	Till till() {
		return new Till();
	}

	@Bean
	Counter counter(EntityManager entities, Clerk clerk) {
		return new Counter(entities, clerk);
	}

	@Bean
	Clerk clerk(EntityManager entities) {
		return new Clerk(entities);
	}

}
