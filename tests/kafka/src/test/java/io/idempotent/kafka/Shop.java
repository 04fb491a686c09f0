package io.idempotent.kafka;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.converter.JacksonJsonMessageConverter;
import org.springframework.util.backoff.FixedBackOff;

/**
 * An application that books payments from Kafka. Its error handler stands in
 * {@code docs/messages.md}.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

	@Bean
	Ledger ledger(JdbcClient database, @Value("${shop.consumer}") String consumer, ObjectProvider<Incident> incident) {
		return new Ledger(database, consumer, incident.getIfAvailable(() -> Incident.NONE));
	}

	@Bean
	JacksonJsonMessageConverter paymentConverter() {
		return new JacksonJsonMessageConverter();
	}

	@Bean
	DefaultErrorHandler errorHandler() {
		DefaultErrorHandler handler = new DefaultErrorHandler();
		handler.setBackOffFunction((message, failure) -> isTemporary(failure)
				? new FixedBackOff(500, FixedBackOff.UNLIMITED_ATTEMPTS) : null);
		return handler;
	}

	private static boolean isTemporary(Exception failure) {
		return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SubmissionRefusedException refused
				&& (refused.refusal() == Refusal.IN_PROGRESS || refused.refusal() == Refusal.STORE_UNAVAILABLE);
	}

}
