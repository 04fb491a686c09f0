package io.idempotent.client;

import java.io.ByteArrayOutputStream;
import java.util.List;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

/**
 * The body of a reactive message: held in memory, or passed on as it arrives because it
 * is too large.
 */
final class HeldBody {

	private final byte @Nullable [] bytes;

	private final Flux<DataBuffer> content;

	private HeldBody(byte @Nullable [] bytes, Flux<DataBuffer> content) {
		this.bytes = bytes;
		this.content = content;
	}

	/**
	 * Reads a body up to a limit.
	 * @param source the body, which is subscribed to once
	 * @param limit the largest size in bytes that is held
	 */
	static Mono<HeldBody> of(Flux<DataBuffer> source, int limit) {
		return Flux.defer(() -> {
			Size size = new Size(limit);
			return source.bufferUntil(size::isExceededBy)
				.switchOnFirst((first, parts) -> of(first, parts, size), false);
		}).single().doOnDiscard(DataBuffer.class, DataBufferUtils::release);
	}

	/** The whole body, or {@code null} if it is too large. */
	byte @Nullable [] bytes() {
		return this.bytes;
	}

	/** The body to send or to read. */
	Flux<DataBuffer> content() {
		return this.content;
	}

	/** The first element is the whole body, unless the limit is exceeded. */
	private static Flux<HeldBody> of(Signal<? extends List<DataBuffer>> first, Flux<List<DataBuffer>> parts,
			Size size) {
		List<DataBuffer> start = first.get();
		if (start != null && size.isExceeded()) {
			return Flux.just(new HeldBody(null, parts.concatMapIterable((buffers) -> buffers)));
		}
		return parts.map(HeldBody::join).defaultIfEmpty(new byte[0]).map(HeldBody::of);
	}

	static HeldBody of(byte[] bytes) {
		return new HeldBody(bytes, Flux.defer(() -> (bytes.length != 0)
				? Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(bytes)) : Flux.empty()));
	}

	private static byte[] join(List<DataBuffer> buffers) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		buffers.forEach((buffer) -> {
			byte[] part = new byte[buffer.readableByteCount()];
			buffer.read(part);
			DataBufferUtils.release(buffer);
			bytes.writeBytes(part);
		});
		return bytes.toByteArray();
	}

	/** Counts bytes, on one thread at a time. */
	private static final class Size {

		private final int limit;

		private long count;

		Size(int limit) {
			this.limit = limit;
		}

		boolean isExceededBy(DataBuffer buffer) {
			this.count += buffer.readableByteCount();
			return isExceeded();
		}

		boolean isExceeded() {
			return this.count > this.limit;
		}

	}

}
