package io.idempotent.testing;

import java.util.concurrent.locks.LockSupport;

/**
 * Lets the current thread stand still for good, so that its process can be killed there.
 */
public final class StandStill {

	/** What the process prints then, followed by a name of the work. */
	public static final String REPORT = "stopped at ";

	private StandStill() {
	}

	public static void now(String work) {
		System.out.println(REPORT + work);
		while (true) {
			LockSupport.park();
		}
	}

	/** After the commit of the current transaction, before anybody else knows of it. */
	public static void afterCommit(String work) {
		Callbacks.afterCommit(() -> now(work));
	}

}
