package io.idempotent.webmvc.internal.submission;

import java.io.IOException;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.Decision;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.support.LockedExecution;
import io.idempotent.transaction.TransactionScope;
import io.idempotent.webmvc.internal.operation.ReturnTypes;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.submission.HttpReplay.ReplayException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the call of the handler method, as filter, interceptors and resolvers
 * report it. Decides nothing: the {@link ResponseClassifier} asks it at the end. <pre>
 * NOT_STARTED ──▶ RUNNING ──▶ RETURNED, SKIPPED or FAILED
 *      │             ▲                            │
 *      │             └── a retry advice repeats ──┘
 *      ├──▶ UNPROTECTED
 *      └──▶ RETURNED, if only the response shows that it was called
 * </pre> The step no longer changes once the request has finished. Safe for use by
 * several threads.
 */
public final class HandlerCall {

	private final SubmissionContext context;

	private final DeferredResponse response;

	private final HttpReplay replay;

	private volatile Step step = Step.NOT_STARTED;

	private volatile boolean effectUnknown;

	private volatile boolean mayStillRun;

	private volatile boolean finished;

	/** The {@code Callable} that the method has returned; {@code null} if it has not. */
	private @Nullable Task task;

	/** Its asynchronous result, which is no exception, was seen. */
	private boolean succeeded;

	/** The status as of the return value; 0 if a view or an exception sets it. */
	private volatile int status;

	private volatile boolean statusOfOthers;

	HandlerCall(SubmissionContext context, DeferredResponse response, HttpReplay replay) {
		this.context = context;
		this.response = response;
		this.replay = replay;
	}

	/**
	 * Whether a call of the handler method starts the operation: not while it runs, but
	 * again when a retry advice repeats a failed attempt.
	 */
	public boolean mayStart() {
		return !this.finished && (this.step == Step.NOT_STARTED || this.step == Step.FAILED);
	}

	public boolean hasStarted() {
		return this.step != Step.NOT_STARTED && this.step != Step.UNPROTECTED;
	}

	public boolean hasFailed() {
		return this.step == Step.FAILED;
	}

	/** Its lock was not obtained: the method was not called. */
	boolean isSkipped() {
		return this.step == Step.SKIPPED;
	}

	/** An asynchronous operation returns when its result is available. */
	boolean hasReturned() {
		return this.step == Step.RETURNED;
	}

	/** After the method was handled: whether nothing has protected its call. */
	public boolean isUnclaimed() {
		return this.context.decided() == null && this.step == Step.NOT_STARTED;
	}

	/** It failed in a way that leaves open whether it took effect. */
	boolean isEffectUnknown() {
		return this.effectUnknown;
	}

	/** The container no longer waits for the result. */
	boolean mayStillRun() {
		return this.mayStillRun;
	}

	/** Whether a filter or interceptor has made a 4xx of the status of the method. */
	boolean hasStatusOfOthers() {
		return this.statusOfOthers;
	}

	/** Does nothing unless it {@linkplain #mayStart() may start}. */
	synchronized void start(boolean isProtected) {
		if (mayStart()) {
			this.step = isProtected ? Step.RUNNING : Step.UNPROTECTED;
		}
	}

	/** Does nothing at another step. */
	private synchronized void move(Step from, Step to) {
		if (this.step == from && !this.finished) {
			this.step = to;
		}
	}

	/**
	 * It has returned. The value decides, as for Spring MVC, whether the operation goes
	 * on: the declared type may be {@code Object}. Work that goes on outside its
	 * transactions does not depend on their outcome.
	 */
	public void returned(DecidedSubmission decided, @Nullable Object value, @Nullable LockedExecution locked)
			throws IOException {
		if (locked instanceof LockedExecution.Skipped) {
			move(Step.RUNNING, Step.SKIPPED);
		}
		else if (ReturnTypes.isStreaming(value)) {
			decided.within(TransactionScope.NONE);
			awaitsNoResult();
			this.response.passThrough();
		}
		else if (ReturnTypes.isAsynchronous(value)) {
			decided.within(TransactionScope.NONE);
		}
		else {
			awaitsNoResult();
		}
		this.context.observeThrown(null);
	}

	/** If it was called, its response stands. */
	public void awaitsNoResult() {
		move(Step.RUNNING, Step.RETURNED);
	}

	/** Spring MVC has handled what it returned, or awaits its result. */
	public void responded(int status) {
		this.status = status;
	}

	/** The request has left the handler, with this status. */
	public void left(int status) {
		if (status / 100 == 4 && this.status != 0 && this.status / 100 != 4) {
			this.statusOfOthers = true;
		}
	}

	/** Spring MVC is to run a {@code Callable}: that of a later dispatch is another's. */
	public synchronized void awaitTask() {
		if (this.task == null || this.task == Task.ENDED) {
			this.task = this.finished ? null : Task.AWAITED;
		}
	}

	/** Whether the {@code Callable} may run: not if its request has ended. */
	public synchronized boolean startTask() {
		if (this.task == Task.AWAITED) {
			this.task = this.finished ? Task.ENDED : Task.RUNNING;
		}
		return this.task != Task.ENDED;
	}

	/** Its result is available. Returns whether the request has been abandoned. */
	public synchronized boolean endTask(boolean succeeded) {
		boolean abandoned = this.task == Task.ABANDONED;
		this.task = Task.ENDED;
		this.succeeded = succeeded;
		return abandoned;
	}

	/**
	 * The request has failed: only a success counts, and its response is not recorded.
	 */
	public synchronized void requestFailed() {
		if (this.succeeded) {
			this.response.neverRecord();
			awaitsNoResult();
		}
		else {
			leftRunning();
		}
	}

	/**
	 * The request has ended outside of the handler. Returns {@code false} if a
	 * {@code Callable} still runs, whose end ends the submission; one that has not begun
	 * never does.
	 */
	public synchronized boolean abandon() {
		if (this.task == Task.RUNNING || this.task == Task.ABANDONED) {
			this.task = Task.ABANDONED;
			timedOut();
			return false;
		}
		if (this.task == Task.AWAITED) {
			this.task = Task.ENDED;
			move(Step.RUNNING, Step.FAILED);
		}
		return true;
	}

	/** A denied replay remains the outcome. */
	public void threw(Throwable thrown) {
		move(Step.RUNNING, Step.FAILED);
		if (!this.replay.isDenied()) {
			this.context.observeThrown((thrown instanceof ReplayException) ? null : thrown);
		}
	}

	/**
	 * Its asynchronous result is available. That of a duplicate does not count, however
	 * it handled the refusal.
	 */
	public void resumed(@Nullable Object result, HttpServletRequest request) {
		DecidedSubmission decided = this.context.decided();
		if (decided != null && decided.isWithoutAnswer()) {
			move(Step.RUNNING, Step.FAILED);
			this.replay.leaveIfKept(decided, decided.proof().answer(this.context.policy()), request);
			throw new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, this.context.operation());
		}
		if (decided != null && decided.isRebuilt() && !this.replay.isStored()) {
			this.replay.permitRebuilt(decided, request);
		}
		if (result instanceof Throwable thrown) {
			threw(thrown);
		}
		else {
			awaitsNoResult();
			this.context.observeThrown(null);
		}
	}

	/**
	 * Spring MVC has handled it. If an aspect called the method on another thread or
	 * answered itself, its response stands, unless it is a replay.
	 */
	public void handled(HttpServletRequest request) {
		DecidedSubmission decided = this.context.decided();
		if (decided != null) {
			if (decided.decision() instanceof Decision.Refused refused) {
				throw decided.refuse(refused.reason());
			}
			if (this.replay.isAwaitingPermission(decided)) {
				// An aspect has answered in spite of a denial.
				this.response.clear();
				this.replay.requirePermission(decided, request);
			}
			if (this.replay.isStored()) {
				throw new ReplayException();
			}
		}
		move(Step.NOT_STARTED, Step.RETURNED);
	}

	/**
	 * A filter or interceptor has answered instead, such as for a session that has ended:
	 * the result tells how the operation ended, unless it is that of a time-out.
	 */
	public void answeredByOthers(@Nullable Object result) {
		if (hasFailed() || this.mayStillRun) {
			return;
		}
		this.response.neverRecord();
		if (result instanceof Throwable thrown) {
			threw(thrown);
		}
		else {
			awaitsNoResult();
			move(Step.NOT_STARTED, Step.RETURNED);
		}
	}

	/**
	 * Spring MVC got an exception. If the operation had returned, only its response
	 * failed, and is not recorded.
	 */
	public void handlingFailed() {
		if (hasReturned()) {
			this.response.neverRecord();
		}
		this.response.uncommit();
	}

	/** It has failed, and may have taken effect. */
	public void effectUnknown() {
		this.effectUnknown = true;
	}

	/** The container no longer waits for the result: the operation may still run. */
	public void timedOut() {
		this.mayStillRun = true;
	}

	/** The request ends early: as after a time-out, if the operation still runs. */
	public void leftRunning() {
		if (this.step == Step.RUNNING) {
			timedOut();
		}
	}

	/** The request has finished. {@code false} if it had finished before. */
	synchronized boolean finish() {
		boolean first = !this.finished;
		this.finished = true;
		return first;
	}

	/** ABANDONED: it runs, and no request awaits it. */
	private enum Task {

		AWAITED, RUNNING, ABANDONED, ENDED

	}

	private enum Step {

		/** The method was not called, or not on the thread of the request. */
		NOT_STARTED,

		/** The operation does not apply to the call, which runs without a claim. */
		UNPROTECTED,

		/** The method runs, or its asynchronous result is awaited. */
		RUNNING,

		FAILED,

		/** Its lock was not obtained: the response is not that of the operation. */
		SKIPPED,

		RETURNED

	}

}
