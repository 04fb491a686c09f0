package io.idempotent.webmvc;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until it is set.
 */
final class AdjustableClock extends Clock {

	volatile Instant time;

	AdjustableClock(Instant time) {
		this.time = time;
	}

	@Override
	public Instant instant() {
		return this.time;
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		return this;
	}

}
