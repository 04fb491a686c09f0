package io.idempotent.openapi;

import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.idempotent.IdempotencyContext;
import io.idempotent.openapi.Shop.Item;
import io.idempotent.openapi.Shop.Placed;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Lets a request choose, by a header that is not part of its content, how it is carried
 * out.
 */
@Component
class Conduct {

	/** The name of the header. */
	static final String HEADER = "Test-Conduct";

	/** The operation does not end before it is released. */
	static final String STAY = "stay";

	/** The operation fails. */
	static final String FAIL = "fail";

	/** The response is not stored. */
	static final String FORGET = "forget";

	private static final int SECONDS = 20;

	private final Semaphore started = new Semaphore(0);

	private final Semaphore released = new Semaphore(0);

	Placed run(Item item, @Nullable IdempotencyContext context, HttpServletRequest request) {
		String conduct = String.valueOf(request.getHeader(HEADER));
		switch (conduct) {
			case STAY -> stay();
			case FAIL -> throw new IllegalStateException("As the test demands");
			case FORGET -> Objects.requireNonNull(context).doNotStoreAnswer();
			default -> {
			}
		}
		return new Placed(item.sku());
	}

	private void stay() {
		this.started.release();
		acquire(this.released);
	}

	void awaitStart() {
		acquire(this.started);
	}

	void release() {
		this.released.release();
	}

	private static void acquire(Semaphore semaphore) {
		try {
			if (!semaphore.tryAcquire(SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("Nothing happened within " + SECONDS + " seconds");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
