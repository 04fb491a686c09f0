package io.idempotent.boot.lock;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events that an application may have to act on as Spring events: a lock is
 * suspect, confirmed again, or lost. Other events only go to {@link LockListener}s.
 */
final class LockEventPublisher implements LockListener {

	private final ApplicationEventPublisher publisher;

	LockEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onEvent(LockEvent event) {
		switch (event.type()) {
			case SUSPECT, RESUMED, LOST -> this.publisher.publishEvent(event);
			default -> {
			}
		}
	}

}
