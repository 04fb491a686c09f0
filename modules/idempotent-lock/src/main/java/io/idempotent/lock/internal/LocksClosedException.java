package io.idempotent.lock.internal;

import java.io.Serial;

import io.idempotent.lock.LockUnavailableException;

/** The locks of this node are closed, since its application is shutting down. */
public final class LocksClosedException extends LockUnavailableException {

	@Serial
	private static final long serialVersionUID = 1L;

	LocksClosedException(String name) {
		super("The lock '" + name
				+ "' cannot be taken any more: the locks of this application are closed, since it is shutting down",
				null);
	}

}
