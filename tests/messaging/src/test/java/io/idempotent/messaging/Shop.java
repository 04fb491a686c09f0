package io.idempotent.messaging;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What both applications have.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

	@Bean
	Ledger ledger(JdbcClient database, ObjectProvider<Incident> incident) {
		return new Ledger(database, incident.getIfAvailable(() -> Incident.NONE));
	}

	@Bean
	Tally tally() {
		return new Tally();
	}

}
