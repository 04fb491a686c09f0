package io.idempotent.steps.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.audit.BoundedText;
import io.idempotent.logging.DurationText;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.internal.ResumableMethods.ResumableMethod;
import io.idempotent.steps.internal.ResumptionTable.Due;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Calls operations again that nobody has repeated, one after another, on one daemon
 * thread of each node. When the application stops, a running call may end.
 */
public final class ResumptionSweep implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(OperationSteps.class);

	private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(10);

	private static final Duration LONGEST_DELAY = Duration.ofHours(1);

	private static final Duration LAST_CALL = Duration.ofSeconds(20);

	private final ResumableMethods methods;

	private final ResumptionTable table;

	private final StepObserver observer;

	private final Consumer<OperationAbandonedEvent> abandoned;

	private final Duration after;

	private final int maxAttempts;

	private volatile @Nullable ScheduledThreadPoolExecutor thread;

	ResumptionSweep(ResumableMethods methods, ResumptionTable table, StepObserver observer,
			Consumer<OperationAbandonedEvent> abandoned, Duration after, int maxAttempts) {
		this.methods = methods;
		this.table = table;
		this.observer = observer;
		this.abandoned = abandoned;
		this.after = after;
		this.maxAttempts = maxAttempts;
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored")
	public void start() {
		if (this.methods.operations().isEmpty()) {
			return;
		}
		long interval = min(this.after, LONGEST_INTERVAL).toMillis();
		ScheduledThreadPoolExecutor created = new ScheduledThreadPoolExecutor(1,
				DaemonThreads.named("idempotent-resumption"));
		created.scheduleWithFixedDelay(this::run, ThreadLocalRandom.current().nextLong(interval), interval,
				TimeUnit.MILLISECONDS);
		this.thread = created;
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

	@Override
	public void stop() {
		ScheduledThreadPoolExecutor running = this.thread;
		this.thread = null;
		if (running == null) {
			return;
		}
		running.shutdown();
		try {
			if (running.awaitTermination(LAST_CALL.toMillis(), TimeUnit.MILLISECONDS)) {
				return;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		running.shutdownNow();
	}

	private void run() {
		try {
			sweep();
		}
		catch (Throwable ex) {
			// The executor would never run it again after an exception.
			logger.warn("Interrupted operations could not be looked for; this is tried again", ex);
		}
	}

	/** Calls whatever is due, until nothing is or the application stops. */
	void sweep() {
		Set<String> operations = this.methods.operations();
		boolean found = !operations.isEmpty();
		while (found) {
			found = false;
			for (Due due : this.table.due(operations)) {
				found |= resume(due);
			}
		}
	}

	/** Whether this node was the first to see to it. */
	private boolean resume(Due due) {
		ResumableMethod method = this.methods.find(due.operation());
		ScheduledThreadPoolExecutor running = this.thread;
		if (method == null || (running != null && running.isShutdown())) {
			return false;
		}
		if (due.resumptions() >= this.maxAttempts) {
			return abandon(due);
		}
		Optional<byte[]> arguments = this.table.take(due, delay(due.resumptions() + 1));
		arguments.ifPresent((stored) -> call(due, method, stored));
		return arguments.isPresent();
	}

	private void call(Due due, ResumableMethod method, byte[] arguments) {
		logger.info(describe(due) + " was not repeated: it is called again");
		try {
			method.call(arguments);
		}
		catch (Throwable ex) {
			failed(due, ex);
			return;
		}
		this.table.end(due);
		this.observer.resumed(due.operation(), "completed");
	}

	private void failed(Due due, Throwable failure) {
		if (failure instanceof SubmissionRefusedException refused && refused.refusal() == Refusal.IN_PROGRESS) {
			this.table.postpone(due);
			return;
		}
		logger.warn(describe(due) + " has failed again, in attempt " + (due.resumptions() + 1) + " of "
				+ this.maxAttempts + "; the next one comes in " + DurationText.of(delay(due.resumptions() + 1)),
				failure);
		this.observer.resumed(due.operation(), "failed");
		this.table.fail(due, BoundedText.visible(failure.toString(), AttemptRecords.MAX_ERROR));
	}

	private boolean abandon(Due due) {
		if (!this.table.abandon(due)) {
			return false;
		}
		logger.error(describe(due) + " is abandoned after " + due.resumptions() + " attempts to resume it "
				+ "(idempotent.steps.resume.max-attempts): " + due.error() + ". See the endpoint idempotentsteps");
		this.observer.resumed(due.operation(), "abandoned");
		this.abandoned.accept(new OperationAbandonedEvent(due.key(), due.operation(), due.resumptions(), due.error()));
		return true;
	}

	private Duration delay(int attempt) {
		Duration delay = this.after;
		for (int i = 0; i < attempt && delay.compareTo(LONGEST_DELAY) < 0; i++) {
			delay = delay.multipliedBy(2);
		}
		return min(delay, LONGEST_DELAY);
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private static String describe(Due due) {
		return "Operation '" + due.operation() + "' (key " + due.key() + ")";
	}

}
