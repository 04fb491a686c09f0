package io.idempotent.boot.internal.store;

import io.idempotent.submission.IdempotencyGate;

import org.springframework.context.SmartLifecycle;

/**
 * Starts between the connection factories and the web server, and stops in reverse:
 * pending completions are written after the last request and before connections close.
 */
public final class GateLifecycle implements SmartLifecycle {

	/** Web servers stop near the maximum, connection factories at zero. */
	private static final int PHASE = 1024;

	private final IdempotencyGate gate;

	private final Runnable beforeStart;

	private volatile boolean running;

	public GateLifecycle(IdempotencyGate gate, Runnable beforeStart) {
		this.gate = gate;
		this.beforeStart = beforeStart;
	}

	@Override
	public void start() {
		this.beforeStart.run();
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
