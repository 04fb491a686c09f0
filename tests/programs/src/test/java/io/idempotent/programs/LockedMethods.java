package io.idempotent.programs;

import io.idempotent.lock.DistributedLocked;

/**
 * Methods under a lock.
 */
class LockedMethods {

	@DistributedLocked(name = "programs", key = "#key")
	void locked(String key, Runnable body) {
		body.run();
	}

	@DistributedLocked(name = "programs", key = "#key", fenced = true)
	void fenced(String key, Runnable body) {
		body.run();
	}

}
