package io.idempotent.boot.internal.store;

import io.idempotent.engine.IdempotencyGate;

import org.springframework.context.SmartLifecycle;

/**
 * Checks that there is a store if there are operations. Writes pending completions to the
 * store after the web server has finished its requests and before the connections to the
 * store are closed.
 */
public final class GateLifecycle implements SmartLifecycle {

	/** Web servers stop near the maximum, connection factories at zero. */
	static final int PHASE = 1024;

	private final IdempotencyGate gate;

	private final Runnable check;

	private volatile boolean running;

	public GateLifecycle(IdempotencyGate gate, Runnable check) {
		this.gate = gate;
		this.check = check;
	}

	@Override
	public void start() {
		this.check.run();
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.gate.flush();
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
