package io.idempotent.lock.internal.acquire;

import java.time.Duration;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.internal.hold.HeldLock;
import io.idempotent.lock.internal.hold.LeaseMonitor;
import io.idempotent.lock.internal.hold.LockListeners;
import io.idempotent.lock.internal.hold.ReaderGrant;
import io.idempotent.lock.internal.queue.EngineGrant;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Read locks of threads that hold the write lock: they need no engine until the write
 * lock is released first, which is then downgraded.
 */
final class LockDowngrade {

	private static final Log logger = LogFactory.getLog(LockDowngrade.class);

	private final LockListeners listeners;

	LockDowngrade(LockListeners listeners) {
		this.listeners = listeners;
	}

	/**
	 * The read lock of the thread that holds a write lock.
	 * @param writer the write lock
	 * @return the read lock, which is valid while the write lock is
	 * @throws io.idempotent.lock.LockLostException if the write lock was lost meanwhile
	 */
	static HeldLock reader(HeldLock writer) {
		EngineGrant granted = new EngineGrant(writer.askedEngine(), writer.engine(), new ReaderGrant(writer),
				System.nanoTime());
		HeldLock reader = new HeldLock(writer.name(), null, granted, writer.options().withMode(LockMode.READ), null);
		if (!writer.addDependent(reader)) {
			throw writer.lostException();
		}
		return reader;
	}

	/**
	 * Turns the grant of a released write lock into that of the read lock that its thread
	 * keeps.
	 * @param writer the write lock
	 * @param reader the read lock
	 * @param monitor monitors the read lock from now on
	 * @return whether the grant was valid until now, or {@code null} if the engine did
	 * not confirm that
	 */
	@Nullable GrantState downgrade(HeldLock writer, HeldLock reader, LeaseMonitor monitor) {
		LockGrant exclusive = writer.grant();
		try {
			long requestedAt = System.nanoTime();
			LockGrant shared = exclusive.downgrade();
			if (shared != null) {
				continueWith(shared, requestedAt, writer, reader, monitor);
				return GrantState.HELD;
			}
			exclusive.abandoned();
			monitor.lose(reader, "the write lock that it was taken under is lost");
			return GrantState.LOST;
		}
		catch (RuntimeException ex) {
			logger.warn("The " + writer + " could not be downgraded: the read lock is lost", ex);
			monitor.releaseLater(exclusive, Duration.ZERO);
			monitor.lose(reader, "the write lock that it was taken under could not be downgraded");
			return null;
		}
	}

	private void continueWith(LockGrant shared, long requestedAt, HeldLock writer, HeldLock reader,
			LeaseMonitor monitor) {
		boolean continues = reader.state().whileHeld(() -> {
			reader.lease().continueFrom(writer.lease(), shared.lease(), requestedAt);
			((ReaderGrant) reader.grant()).continueWith(shared);
		});
		if (continues) {
			monitor.add(reader);
			this.listeners.publish(LockEvent.Type.OBTAINED, reader.name(), reader.engine().name(), 0, shared.token());
		}
		else {
			monitor.releaseUnused(shared);
		}
	}

}
