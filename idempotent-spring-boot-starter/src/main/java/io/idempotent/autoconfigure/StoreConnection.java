package io.idempotent.autoconfigure;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Digest;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.store.Release;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Uses the store once before the web server opens its port, so that no request pays for
 * the connection and a store that cannot work is told at once. What it does there changes
 * nothing: it releases a claim that nobody has.
 */
final class StoreConnection implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(StoreConnection.class);

	/** After connection factories, which start at zero, and before web servers. */
	private static final int PHASE = GateLifecycle.PHASE;

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private final IdempotencyStore store;

	private final boolean required;

	private volatile boolean running;

	StoreConnection(IdempotencyStore store, boolean required) {
		this.store = store;
		this.required = required;
	}

	@Override
	public void start() {
		this.running = true;
		Throwable failure = failure();
		if (failure == null) {
			return;
		}
		if (this.required) {
			throw new StoreNotReadyException(failure);
		}
		logger.warn("The store of idempotent operations does not work yet; the application starts without it, and "
				+ "submissions are refused or run unprotected (whenStoreFails) until it does. A probe failed: "
				+ failure.getMessage());
	}

	/**
	 * On a thread of its own: a pool may let its caller wait for half a minute.
	 */
	private @Nullable Throwable failure() {
		CompletableFuture<Void> used = new CompletableFuture<>();
		Thread thread = new Thread(() -> use(used), "idempotent-store-connect");
		thread.setDaemon(true);
		thread.start();
		try {
			used.get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
			return null;
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
		catch (TimeoutException ex) {
			return new IllegalStateException("it did not answer within " + DurationText.of(LONGEST), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ex;
		}
	}

	private void use(CompletableFuture<Void> used) {
		try {
			OperationKey key = OperationKey.of("", "start-up", List.of(), "");
			this.store.release(new ClaimId(key, Owner.draw(new SecureRandom()),
					new Fingerprint(Digest.sha256().add("").build()), 1), Release.NO_EFFECT);
			used.complete(null);
		}
		catch (Throwable ex) {
			used.completeExceptionally(ex);
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
