package io.idempotent.lock.internal.hold;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.support.DaemonThreads;

/**
 * Runs a renewal for a thread that waits for it, on another thread: an interrupt of the
 * caller would let a connection pool fail, and close a database connection. The renewal
 * waits for no worker, which may be hanging.
 */
public final class RenewalThread {

	private RenewalThread() {
	}

	/**
	 * Runs a renewal, and waits for it through interrupts.
	 * @param renewal the renewal
	 * @return what the engine has answered
	 */
	public static GrantState run(Supplier<GrantState> renewal) {
		FutureTask<GrantState> task = new FutureTask<>(renewal::get);
		DaemonThreads.start("idempotent-lock-renewal", task);
		try (InterruptibleWait waiting = InterruptibleWait.throughInterrupts()) {
			return waiting.get(task, Long.MAX_VALUE);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException | TimeoutException ex) {
			throw new IllegalStateException("A wait without an end has ended", ex);
		}
	}

}
