package io.idempotent.lock.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.internal.LocksClosedException;
import io.idempotent.logging.Outage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The runs of one method that were skipped because the lock engine was unavailable. Logs
 * one line when an outage starts and one when it ends, since a job may run every second.
 * A shutdown is no outage.
 */
final class SkippedRuns {

	private static final Log logger = LogFactory.getLog(SkippedRuns.class);

	private final String method;

	private final Outage outage;

	private final LongAdder skipped = new LongAdder();

	SkippedRuns(Method method, Duration quiet) {
		this.method = method.getDeclaringClass().getSimpleName() + "." + method.getName();
		this.outage = new Outage(quiet);
	}

	void skipped(LockUnavailableException failure) {
		if (failure instanceof LocksClosedException) {
			logger.debug("Skipped " + this.method + ", because the application is shutting down", failure);
			return;
		}
		this.skipped.increment();
		if (this.outage.failed() == Outage.Failure.FIRST) {
			logger.warn("Skipped " + this.method + ", because its lock could not be requested. Until the lock engine "
					+ "works again, further runs are skipped too and logged at DEBUG: " + inOneLine(failure));
		}
		else {
			logger.debug("Skipped " + this.method + " again, because its lock could not be requested", failure);
		}
	}

	void engineResponded() {
		String outage = this.outage.succeeded();
		if (outage != null) {
			logger.info("The lock of " + this.method + " can be requested again: " + outage
					+ "; runs skipped meanwhile: " + this.skipped.sumThenReset());
		}
	}

	private static String inOneLine(LockUnavailableException failure) {
		return String.valueOf(failure.getMessage()).replaceAll("\\R\\s*", " ");
	}

}
