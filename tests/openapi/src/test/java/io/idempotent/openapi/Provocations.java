package io.idempotent.openapi;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Makes operations refuse a request for a given reason.
 */
final class Provocations {

	private static final int TOO_MANY = 5000;

	private final RunningShop shop;

	private final RunningShop withoutStore;

	/**
	 * Prepares provocations.
	 * @param shop the shop
	 * @param withoutStore the same shop, whose store is not there
	 */
	Provocations(RunningShop shop, RunningShop withoutStore) {
		this.shop = shop;
		this.withoutStore = withoutStore;
	}

	HttpResponse<String> provoke(String path, String code) {
		return switch (code) {
			case "key-missing" -> this.shop.send(withoutKey(path));
			case "key-malformed" -> this.shop.send(withKey(path, "one two"));
			case "token-unknown" -> this.shop.send(withKey(path, "aMadeUpByTheCaller0000"));
			case "body-too-large" -> this.shop.send(this.shop.first(path).withSku("x".repeat(TOO_MANY)));
			case "key-reused" -> reused(path);
			case "in-progress" -> inProgress(path);
			case "duplicate" -> again(this.shop.first(path));
			case "response-unavailable" -> again(this.shop.first(path).with(Conduct.HEADER, Conduct.FORGET));
			case "outcome-unknown" -> again(this.shop.first(path).with(Conduct.HEADER, Conduct.FAIL));
			case "store-unavailable" -> this.withoutStore.send(this.shop.first(path));
			default -> throw new AssertionError("No test knows how to provoke " + code + " at " + path);
		};
	}

	private Submission withoutKey(String path) {
		return new Submission(path,
				this.shop.document().extension(path).path("source").asString().equals("content") ? null : "tea",
				Map.of());
	}

	private Submission withKey(String path, String value) {
		Submission first = this.shop.first(path);
		return first.with(first.headers().keySet().iterator().next(), value);
	}

	private HttpResponse<String> again(Submission submission) {
		this.shop.send(submission);
		return this.shop.send(submission);
	}

	/**
	 * The same key, with a request parameter that counts and is no key.
	 */
	private HttpResponse<String> reused(String path) {
		Submission first = this.shop.first(path);
		this.shop.send(first);
		return this.shop.send(new Submission(path + "?other=content", first.sku(), first.headers()));
	}

	private HttpResponse<String> inProgress(String path) {
		Submission submission = this.shop.first(path).with(Conduct.HEADER, Conduct.STAY);
		CompletableFuture<HttpResponse<String>> running = CompletableFuture
			.supplyAsync(() -> this.shop.send(submission));
		this.shop.conduct().awaitStart();
		HttpResponse<String> duplicate = this.shop.send(submission);
		this.shop.conduct().release();
		assertThat(running.join().statusCode()).isLessThan(300);
		return duplicate;
	}

}
