package io.idempotent.steps.internal;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.logging.DurationText;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.internal.ResumptionTable.Due;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordState;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
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

	private final Function<OperationKey, RecordState> states;

	private final StepSettings settings;

	private volatile @Nullable ScheduledThreadPoolExecutor thread;

	private volatile boolean stopping;

	ResumptionSweep(ResumableMethods methods, ResumptionTable table, StepObserver observer,
			Consumer<OperationAbandonedEvent> abandoned, Function<OperationKey, RecordState> states,
			StepSettings settings) {
		this.methods = methods;
		this.table = table;
		this.observer = observer;
		this.abandoned = abandoned;
		this.states = states;
		this.settings = settings;
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored")
	public void start() {
		if (this.methods.operations().isEmpty()) {
			return;
		}
		this.stopping = false;
		long interval = interval();
		ScheduledThreadPoolExecutor created = new ScheduledThreadPoolExecutor(1,
				DaemonThreads.named("idempotent-resumption"));
		created.scheduleWithFixedDelay(this::run, ThreadLocalRandom.current().nextLong(interval), interval,
				TimeUnit.MILLISECONDS);
		this.thread = created;
	}

	/** Between two sweeps, in milliseconds. */
	private long interval() {
		return Collections.min(List.of(this.settings.resumeAfter(), LONGEST_INTERVAL)).toMillis();
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

	@Override
	public void stop() {
		this.stopping = true;
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
				found |= !this.stopping && resume(due);
			}
		}
	}

	/** Whether this node was the first to see to it. */
	private boolean resume(Due due) {
		RecordState state;
		try {
			state = state(due);
		}
		catch (StoreUnavailableException ex) {
			logger.warn(describe(due) + " is resumed later: its record cannot be reached (" + ex.getMessage() + ")");
			// Behind the others, but not beyond the next sweep: another node may reach
			// it.
			this.table.postpone(due, Duration.ofMillis(ThreadLocalRandom.current().nextLong(interval() / 2 + 1)));
			return false;
		}
		if (state == RecordState.IN_PROGRESS) {
			this.table.postpone(due, this.settings.resumeAfter());
			return false;
		}
		if (state == RecordState.COMPLETED) {
			this.table.end(due);
			return true;
		}
		if (due.resumptions() >= this.settings.maxAttempts()) {
			return abandon(due);
		}
		Optional<byte[]> arguments = this.table.take(due, delay(due.resumptions() + 1));
		arguments.ifPresent((stored) -> call(due, stored));
		return arguments.isPresent();
	}

	/** {@code null} if it cannot be read: the call is refused then, and has failed. */
	private @Nullable RecordState state(Due due) {
		try {
			return this.states.apply(due.key());
		}
		catch (UnreadableRecordException ex) {
			logger.debug(describe(due) + " has a record that cannot be read", ex);
			return null;
		}
	}

	private void call(Due due, byte[] arguments) {
		logger.info(describe(due) + " has not ended and was not repeated: it is called again");
		try {
			this.methods.call(due.key(), due.operation(),
					this.settings.encryption().decrypt(due.key(), StepTables.ARGUMENTS, arguments));
			if (this.states.apply(due.key()) != RecordState.COMPLETED) {
				throw new IllegalStateException(
						"It has returned without being recorded as completed: its method was skipped, as by a lock, or "
								+ "its store was away");
			}
		}
		catch (Throwable ex) {
			failed(due, ex);
			return;
		}
		this.table.end(due);
		logger.info(describe(due) + " has ended after it was called again");
		this.observer.resumed(due.operation(), "completed");
	}

	private void failed(Due due, Throwable failure) {
		if (failure instanceof SubmissionRefusedException refused && refused.refusal() == Refusal.IN_PROGRESS
				&& refused.operation().equals(due.operation())) {
			this.table.discount(due);
			return;
		}
		int attempt = due.resumptions() + 1;
		logger.warn(describe(due) + " has failed again, in attempt " + attempt + " of " + this.settings.maxAttempts()
				+ "; it is " + ((attempt < this.settings.maxAttempts()) ? "called again" : "abandoned") + " in "
				+ DurationText.of(delay(attempt)), failure);
		this.observer.resumed(due.operation(), "failed");
		this.table.fail(due, AttemptRecords.text(failure, this.settings.encryption()),
				failure instanceof SubmissionRefusedException);
	}

	private boolean abandon(Due due) {
		if (!this.table.abandon(due)) {
			return false;
		}
		logger.error(describe(due) + " is abandoned after " + due.resumptions() + " attempts to resume it "
				+ "(idempotent.steps.resume.max-attempts): " + due.error() + ". See the endpoint idempotentsteps");
		this.observer.resumed(due.operation(), "abandoned");
		try {
			this.abandoned
				.accept(new OperationAbandonedEvent(due.key(), due.operation(), due.resumptions(), due.error()));
		}
		catch (RuntimeException ex) {
			logger.error("A listener of OperationAbandonedEvent has failed", ex);
		}
		return true;
	}

	private Duration delay(int attempt) {
		Duration delay = this.settings.resumeAfter();
		for (int i = 0; i < attempt && delay.compareTo(LONGEST_DELAY) < 0; i++) {
			delay = delay.multipliedBy(2);
		}
		return Collections.max(List.of(this.settings.resumeAfter(), Collections.min(List.of(delay, LONGEST_DELAY))));
	}

	private static String describe(Due due) {
		return "Operation '" + due.operation() + "' (key " + due.key() + ")";
	}

}
