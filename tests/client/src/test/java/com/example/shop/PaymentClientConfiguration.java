package com.example.shop;

import io.idempotent.client.IdempotentClientInterceptor;
import io.idempotent.client.IdempotentExchangeFilterFunction;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

@Configuration(proxyBeanMethods = false)
class PaymentClientConfiguration {

	@Bean
	RestClient payments(RestClient.Builder builder, IdempotentClientInterceptor idempotent) {
		return builder.baseUrl("https://payments.example.com")
			.requestInterceptors((interceptors) -> interceptors.add(0, idempotent))
			.build();
	}

	@Bean
	WebClient reactivePayments(WebClient.Builder builder, IdempotentExchangeFilterFunction idempotent) {
		return builder.baseUrl("https://payments.example.com").filters((filters) -> filters.add(0, idempotent)).build();
	}

}
