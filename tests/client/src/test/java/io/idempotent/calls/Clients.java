package io.idempotent.calls;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

import io.idempotent.client.IdempotentClientInterceptor;
import io.idempotent.client.IdempotentClientSettings;
import io.idempotent.client.IdempotentExchangeFilterFunction;
import reactor.core.publisher.Mono;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.invoker.HttpExchangeAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/**
 * Each client of Spring, on the HTTP client of the JDK or on Reactor Netty.
 */
enum Clients {

	REST_CLIENT {

		@Override
		Client create(String url, IdempotentClientSettings settings, boolean planted) {
			return payment(restClient(url, settings, planted, jdkHttpClient()));
		}

	},

	REST_TEMPLATE {

		@Override
		Client create(String url, IdempotentClientSettings settings, boolean planted) {
			RestTemplate client = restTemplate(settings, planted);
			return (payment) -> Objects.requireNonNull(client.postForObject(url + "/payments", payment, Payment.class));
		}

	},

	WEB_CLIENT {

		@Override
		Client create(String url, IdempotentClientSettings settings, boolean planted) {
			WebClient client = webClient(url, settings, planted);
			return (payment) -> Objects.requireNonNull(
					client.post().uri("/payments").bodyValue(payment).retrieve().bodyToMono(Payment.class).block());
		}

	},

	INTERFACE_ON_REST_CLIENT {

		@Override
		Client create(String url, IdempotentClientSettings settings, boolean planted) {
			return httpInterface(RestClientAdapter.create(restClient(url, settings, planted, jdkHttpClient())));
		}

	},

	INTERFACE_ON_WEB_CLIENT {

		@Override
		Client create(String url, IdempotentClientSettings settings, boolean planted) {
			return httpInterface(WebClientAdapter.create(webClient(url, settings, planted)));
		}

	};

	static final IdempotentClientSettings SETTINGS = IdempotentClientSettings.builder()
		.retryPolicy(RetryPolicy.builder()
			.maxRetries(6)
			.delay(Duration.ofMillis(10))
			.multiplier(2)
			.timeout(Duration.ofSeconds(30))
			.build())
		.build();

	/**
	 * Creates the client.
	 * @param url the address of the servers
	 * @param settings when attempts are repeated
	 * @param planted whether each attempt has a key of its own
	 */
	abstract Client create(String url, IdempotentClientSettings settings, boolean planted);

	Client create(String url, boolean planted) {
		return create(url, SETTINGS, planted);
	}

	static RestClient restClient(String url) {
		return restClient(url, SETTINGS, false, jdkHttpClient());
	}

	private static ClientHttpRequestFactory jdkHttpClient() {
		HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
		JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(http);
		factory.setReadTimeout(Duration.ofSeconds(10));
		return factory;
	}

	static RestClient restClient(String url, IdempotentClientSettings settings, boolean planted,
			ClientHttpRequestFactory factory) {
		return RestClient.builder().baseUrl(url).requestFactory(factory).requestInterceptors((interceptors) -> {
			interceptors.add(new IdempotentClientInterceptor(settings));
			if (planted) {
				interceptors.add(newKey());
			}
		}).build();
	}

	private static RestTemplate restTemplate(IdempotentClientSettings settings, boolean planted) {
		RestTemplate client = new RestTemplate(jdkHttpClient());
		client.getInterceptors().add(new IdempotentClientInterceptor(settings));
		if (planted) {
			client.getInterceptors().add(newKey());
		}
		return client;
	}

	/** On {@code HttpURLConnection}, the default of {@code RestTemplate}. */
	static Client onUrlConnection(String url) {
		SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
		factory.setReadTimeout(Duration.ofSeconds(10));
		return payment(restClient(url, SETTINGS, false, factory));
	}

	private static Client payment(RestClient client) {
		return (payment) -> Objects
			.requireNonNull(client.post().uri("/payments").body(payment).retrieve().body(Payment.class));
	}

	private static WebClient webClient(String url, IdempotentClientSettings settings, boolean planted) {
		return WebClient.builder().baseUrl(url).filters((filters) -> {
			filters.add(new IdempotentExchangeFilterFunction(settings));
			if (planted) {
				filters.add(ExchangeFilterFunction.ofRequestProcessor((request) -> Mono.just(ClientRequest.from(request)
					.headers((headers) -> headers.set("Idempotency-Key", UUID.randomUUID().toString()))
					.build())));
			}
		}).build();
	}

	private static Client httpInterface(HttpExchangeAdapter adapter) {
		return HttpServiceProxyFactory.builderFor(adapter).build().createClient(PaymentClient.class)::pay;
	}

	/** The planted fault: a new key for each attempt. */
	private static ClientHttpRequestInterceptor newKey() {
		return (request, body, execution) -> {
			request.getHeaders().set("Idempotency-Key", UUID.randomUUID().toString());
			return execution.execute(request, body);
		};
	}

	/**
	 * Makes payments.
	 */
	interface Client {

		Payment pay(NewPayment payment);

	}

}
