package com.example.shop;

import java.time.Duration;
import java.util.Set;

import io.idempotent.client.IdempotentClientInterceptor;
import io.idempotent.client.IdempotentClientSettings;

import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

final class PlainClients {

	private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.POST);

	private PlainClients() {
	}

	static RestClient stripe(String secret) {
		IdempotentClientSettings settings = IdempotentClientSettings.builder()
			.calls((method, uri) -> METHODS.contains(method) && "api.stripe.com".equals(uri.getHost()))
			.retryStatuses(429, 502, 503, 504)
			.retryPolicy(IdempotentClientSettings.defaultRetryPolicy().timeout(Duration.ofSeconds(10)).build())
			.build();
		return RestClient.builder()
			.baseUrl("https://api.stripe.com")
			.defaultHeaders((headers) -> headers.setBearerAuth(secret))
			.requestInterceptor(new IdempotentClientInterceptor(settings))
			.build();
	}

	static RestTemplate restTemplate(IdempotentClientInterceptor idempotent) {
		RestTemplate client = new RestTemplate(new JdkClientHttpRequestFactory());
		client.getInterceptors().add(0, idempotent);
		return client;
	}

	static boolean wasDoneBefore(RestClient client, NewPayment payment, String key) {
		ResponseEntity<Payment> response = client.post()
			.uri("/payments")
			.header("Idempotency-Key", key)
			.body(payment)
			.retrieve()
			.toEntity(Payment.class);
		return IdempotentClientSettings.isReplay(response.getHeaders());
	}

}
