package com.example.shop;

import io.idempotent.client.DerivedKeyProcessor;
import io.idempotent.client.IdempotentClientInterceptor;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.service.registry.ImportHttpServices;

@Configuration(proxyBeanMethods = false)
@ImportHttpServices(group = "payments", types = PaymentClient.class)
class PaymentServices {

	@Bean
	RestClientHttpServiceGroupConfigurer idempotentPayments(IdempotentClientInterceptor idempotent,
			DerivedKeyProcessor derivedKeys) {
		return (groups) -> groups.filterByName("payments").forEachGroup((group, client, factory) -> {
			client.requestInterceptors((interceptors) -> interceptors.add(0, idempotent));
			factory.httpRequestValuesProcessor(derivedKeys);
		});
	}

}
