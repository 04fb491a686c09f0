package io.idempotent.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.web.reactive.function.BodyInserter;

/**
 * The request body of one call. The first attempt holds the bytes in memory for the next
 * ones, so that the application's publisher is subscribed to only once. A stream, or a
 * body over the limit, cannot be repeated.
 */
final class RepeatableBody implements BodyInserter<Object, ClientHttpRequest> {

	private final BodyInserter<?, ? super ClientHttpRequest> body;

	private final int limit;

	private volatile boolean consumed;

	private volatile byte @Nullable [] bytes;

	private volatile Map<String, List<String>> headers = Map.of();

	RepeatableBody(BodyInserter<?, ? super ClientHttpRequest> body, int limit) {
		this.body = body;
		this.limit = limit;
	}

	/** Whether it can be written again: it is in memory, or was not read yet. */
	boolean isRepeatable() {
		return !this.consumed || this.bytes != null;
	}

	@Override
	public Mono<Void> insert(ClientHttpRequest request, Context context) {
		byte[] held = this.bytes;
		if (held != null) {
			this.headers.forEach((name, values) -> request.getHeaders().put(name, values));
			return (held.length != 0) ? request.writeWith(HeldBody.of(held).content()) : request.setComplete();
		}
		return this.body.insert(new Recording(request), context);
	}

	private final class Recording extends ClientHttpRequestDecorator {

		private final Map<String, List<String>> before = new LinkedHashMap<>();

		Recording(ClientHttpRequest request) {
			super(request);
			request.getHeaders().forEach((name, values) -> this.before.put(name, List.copyOf(values)));
		}

		@Override
		public Mono<Void> writeWith(Publisher<? extends DataBuffer> content) {
			RepeatableBody.this.consumed = true;
			return HeldBody.of(Flux.from(content), RepeatableBody.this.limit).flatMap((whole) -> {
				byte[] all = whole.bytes();
				if (all != null) {
					hold(all);
				}
				return super.writeWith(whole.content());
			});
		}

		@Override
		public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> content) {
			RepeatableBody.this.consumed = true;
			return super.writeAndFlushWith(content);
		}

		@Override
		public Mono<Void> setComplete() {
			hold(new byte[0]);
			return super.setComplete();
		}

		private void hold(byte[] all) {
			HttpHeaders now = getHeaders();
			Map<String, List<String>> added = new LinkedHashMap<>();
			now.forEach((name, values) -> {
				if (!values.equals(this.before.get(name))) {
					added.put(name, List.copyOf(values));
				}
			});
			RepeatableBody.this.headers = added;
			RepeatableBody.this.bytes = all;
		}

	}

}
