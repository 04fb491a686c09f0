package io.idempotent.inbox;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.FailedEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * An application of two modules. What failed, or was not completed for two seconds, is
 * delivered again, on whatever node comes first.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@Import({ Orders.class, Inbox.Resubmission.class })
class Inbox {

	@Bean
	Stock stock(JdbcClient database, ObjectProvider<Incident> incident) {
		return new Stock(database, incident.getIfAvailable(() -> Incident.NONE));
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "inbox.protected", matchIfMissing = true)
	Warehouse warehouse(Stock stock) {
		return new Warehouse(stock);
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "inbox.protected", havingValue = false)
	UnprotectedWarehouse unprotectedWarehouse(Stock stock) {
		return new UnprotectedWarehouse(stock);
	}

	/**
	 * Delivers again what failed.
	 *
	 * @param failed the publications
	 */
	record Resubmission(FailedEventPublications failed) {

		@Scheduled(fixedDelay = 500)
		void resubmit() {
			this.failed.resubmit(ResubmissionOptions.defaults());
		}

	}

}
