package io.idempotent.sample.subscription;

import java.util.Map;
import java.util.Objects;

import io.idempotent.sample.provider.PaymentProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * Calls the payment provider. Without {@code shop.provider.url}, the shop brings one.
 */
@Component
class ProviderClient implements AutoCloseable {

	private final @Nullable PaymentProvider own;

	private final RestClient http;

	ProviderClient(@Value("${shop.provider.url:}") String url) {
		this.own = url.isEmpty() ? PaymentProvider.start(0, null) : null;
		this.http = RestClient.create((this.own != null) ? "http://localhost:" + this.own.port() : url);
	}

	Charge charge(NewSubscription subscription, String key) {
		return Objects.requireNonNull(post("/charges", key, Map.of("tea", subscription.tea())));
	}

	void sendMail(Subscription subscription, String key) {
		post("/mails", key, Map.of("to", subscription.email()));
	}

	private @Nullable Charge post(String path, String key, Map<String, String> body) {
		return this.http.post().uri(path).header("Idempotency-Key", key).body(body).retrieve().body(Charge.class);
	}

	@Override
	public void close() {
		if (this.own != null) {
			this.own.close();
		}
	}

	/** What the provider answers. */
	record Charge(String id) {
	}

}
