package com.example.shop;

import io.idempotent.client.IdempotentClientListener;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ClientMetrics {

	@Bean
	IdempotentClientListener attempts(MeterRegistry registry) {
		return (attempt) -> registry
			.counter("payments.attempts", "result", attempt.result().name(), "first",
					String.valueOf(attempt.number() == 1))
			.increment();
	}

}
