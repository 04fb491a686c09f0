package io.idempotent.kafka;

import java.util.concurrent.locks.LockSupport;

/**
 * Each payment takes a while, so that something is left for a second consumer however
 * long its start takes.
 */
final class Slowness implements Incident {

	private volatile boolean ended;

	void end() {
		this.ended = true;
	}

	@Override
	public void happenTo(Payment payment) {
		if (!this.ended) {
			LockSupport.parkNanos(50_000_000);
		}
	}

}
