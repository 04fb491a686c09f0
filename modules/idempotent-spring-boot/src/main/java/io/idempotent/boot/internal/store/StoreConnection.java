package io.idempotent.boot.internal.store;

import java.security.SecureRandom;
import java.util.List;

import io.idempotent.boot.internal.store.RareProbe.Answer;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
import io.idempotent.support.Digest;
import io.idempotent.support.StartUpException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Uses the store once before the web server opens its port, so that no request has to
 * wait for the connection, and a store that does not work is reported immediately. It
 * releases a claim that does not exist, which changes nothing.
 */
public final class StoreConnection implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(StoreConnection.class);

	/** After connection factories, which start at phase zero, and before web servers. */
	private static final int PHASE = GateLifecycle.PHASE;

	private final IdempotencyStore store;

	private final boolean required;

	private volatile boolean running;

	private volatile boolean answered;

	public StoreConnection(IdempotencyStore store, boolean required) {
		this.store = store;
		this.required = required;
	}

	@Override
	public void start() {
		this.running = true;
		Answer<Ownership> answer = RareProbe.atStart("idempotent-store-connect", this::use);
		this.answered = answer instanceof Answer.Given;
		if (answer instanceof Answer.Failed<Ownership> failed) {
			report(failed.cause());
		}
	}

	private void report(Throwable failure) {
		if (this.required) {
			throw new StartUpException("The store of idempotent operations does not work: " + failure.getMessage(),
					"Make the store reachable, or set idempotent.store.required-at-start=false, so that the application "
							+ "starts and refuses submissions until the store works",
					failure);
		}
		logger.warn("The store of idempotent operations does not work yet; the application starts without it, and "
				+ "submissions are refused or run unprotected (whenStoreFails) until it does. A probe failed: "
				+ failure.getMessage());
	}

	/**
	 * Returns whether the store answered at the start.
	 */
	boolean answered() {
		return this.answered;
	}

	private Ownership use() {
		OperationKey key = OperationKey.of("", "start-up", List.of(), "");
		return this.store.release(
				new ClaimId(key, Owner.draw(new SecureRandom()), new Fingerprint(Digest.sha256().add("").build()), 1),
				Release.NO_EFFECT);
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
