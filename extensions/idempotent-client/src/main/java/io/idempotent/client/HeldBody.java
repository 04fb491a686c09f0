package io.idempotent.client;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

/** The body of a reactive message: in memory, or passed on because it is too large. */
final class HeldBody {

	private final byte @Nullable [] bytes;

	private final Flux<DataBuffer> content;

	private HeldBody(byte @Nullable [] bytes, Flux<DataBuffer> content) {
		this.bytes = bytes;
		this.content = content;
	}

	/** Reads a body, which is subscribed to once, up to a limit in bytes. */
	static Mono<HeldBody> of(Flux<DataBuffer> source, int limit) {
		return Flux.defer(() -> {
			AtomicLong size = new AtomicLong();
			return source.bufferUntil((buffer) -> size.addAndGet(buffer.readableByteCount()) > limit)
				.switchOnFirst((first, parts) -> of(first, parts, size.get() > limit), false);
		}).single().doOnDiscard(DataBuffer.class, DataBufferUtils::release);
	}

	/** The whole body, or {@code null} if it is too large. */
	byte @Nullable [] bytes() {
		return this.bytes;
	}

	Flux<DataBuffer> content() {
		return this.content;
	}

	/** The first element is the whole body, unless the limit is exceeded. */
	private static Flux<HeldBody> of(Signal<? extends List<DataBuffer>> first, Flux<List<DataBuffer>> parts,
			boolean tooLarge) {
		if (first.hasValue() && tooLarge) {
			return Flux.just(new HeldBody(null, parts.concatMapIterable((buffers) -> buffers)));
		}
		return parts.map(HeldBody::join).defaultIfEmpty(new byte[0]).map(HeldBody::of);
	}

	static HeldBody of(byte[] bytes) {
		return new HeldBody(bytes, Flux.defer(() -> (bytes.length != 0)
				? Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(bytes)) : Flux.empty()));
	}

	/** Copies the buffers and releases them. */
	private static byte[] join(List<DataBuffer> buffers) {
		DataBuffer joined = DefaultDataBufferFactory.sharedInstance.join(buffers);
		byte[] bytes = new byte[joined.readableByteCount()];
		joined.read(bytes);
		return bytes;
	}

}
