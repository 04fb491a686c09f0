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
 * </pre> At the end, a late result makes it RETURNED. The step is final once the request
 * has finished. Safe for several threads.
 */
public final class HandlerCall {

	/** A view or an exception sets it. */
	public static final int NO_STATUS = 0;

	/** A filter or interceptor has made a 4xx of that of the method. */
	private static final int OF_OTHERS = -1;

	private final SubmissionContext context;

	private final DeferredResponse response;

	private final HttpReplay replay;

	private volatile Step step = Step.NOT_STARTED;

	private volatile Observation observation = Observation.COMPLETE;

	/** As of the return value, or one of the constants; {@link #OF_OTHERS} stays. */
	private volatile int status = NO_STATUS;

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
		return !hasFinished() && (this.step == Step.NOT_STARTED || this.step == Step.FAILED);
	}

	public boolean hasStarted() {
		return this.step != Step.NOT_STARTED && this.step != Step.UNPROTECTED;
	}

	public boolean hasFailed() {
		return this.step == Step.FAILED;
	}

	boolean isSkipped() {
		return this.step == Step.SKIPPED;
	}

	/** An asynchronous operation returns when its result is available. */
	boolean hasReturned() {
		return this.step == Step.RETURNED;
	}

	/** Its condition is false: the request may begin another operation. */
	public boolean isUnprotected() {
		return this.step == Step.UNPROTECTED;
	}

	/** After the method was handled: whether nothing has protected its call. */
	public boolean isUnclaimed() {
		return this.context.decided() == null && this.step == Step.NOT_STARTED;
	}

	boolean hasFinished() {
		return this.observation == Observation.FINISHED;
	}

	boolean hasStatusOfOthers() {
		return this.status == OF_OTHERS;
	}

	/** Does nothing unless it {@linkplain #mayStart() may start}. */
	synchronized void start(boolean isProtected) {
		if (mayStart()) {
			this.step = isProtected ? Step.RUNNING : Step.UNPROTECTED;
		}
	}

	private synchronized void move(Step from, Step to) {
		if (this.step == from && !hasFinished()) {
			this.step = to;
		}
	}

	private synchronized void observe(Observation next) {
		if (next.compareTo(this.observation) > 0) {
			this.observation = next;
		}
	}

	/**
	 * The method has returned. The value decides, as for Spring MVC, whether the
	 * operation goes on: the declared type may be {@code Object}. Work that goes on
	 * outside its transactions does not depend on their outcome.
	 */
	public void methodReturned(DecidedSubmission decided, @Nullable Object value, @Nullable LockedExecution locked)
			throws IOException {
		if (locked instanceof LockedExecution.Skipped) {
			move(Step.RUNNING, Step.SKIPPED);
		}
		else if (ReturnTypes.isStreaming(value)) {
			decided.within(TransactionScope.NONE);
			returned();
			this.response.passThrough();
		}
		else if (ReturnTypes.isAsynchronous(value)) {
			decided.within(TransactionScope.NONE);
		}
		else {
			returned();
		}
		this.context.observeThrown(null);
	}

	/** The operation has returned, if it was called: its response stands. */
	public void returned() {
		move(Step.RUNNING, Step.RETURNED);
	}

	/** Its {@code Callable} is not run. */
	void notRun() {
		move(Step.RUNNING, Step.FAILED);
	}

	/** Spring MVC has handled what it returned, or awaits its result. */
	public void statusOfHandler(int handled) {
		if (!hasStatusOfOthers()) {
			this.status = handled;
		}
	}

	public void statusAfterFilters(int left) {
		if (left / 100 == 4 && this.status != NO_STATUS && this.status / 100 != 4) {
			this.status = OF_OTHERS;
		}
	}

	/** A denied replay remains the outcome. */
	public void failed(Throwable thrown) {
		move(Step.RUNNING, Step.FAILED);
		if (!this.replay.isDenied()) {
			this.context.observeThrown((thrown instanceof ReplayException) ? null : thrown);
		}
	}

	/**
	 * Its asynchronous result is available. That of a duplicate does not count, however
	 * it handled the refusal.
	 */
	public void resultDispatched(@Nullable Object result, HttpServletRequest request) {
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
			failed(thrown);
		}
		else {
			returned();
			this.context.observeThrown(null);
		}
	}

	/**
	 * Spring MVC has handled it. If an aspect called the method on another thread or
	 * answered itself, its response stands, unless it is a replay.
	 */
	public void postHandle(HttpServletRequest request) {
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
	public void resultNotDispatched(@Nullable Object result) {
		if (hasFailed() || this.observation == Observation.NOT_AWAITED) {
			return;
		}
		this.response.neverRecord();
		if (result instanceof Throwable thrown) {
			failed(thrown);
		}
		else {
			returned();
			move(Step.NOT_STARTED, Step.RETURNED);
		}
	}

	/** Spring MVC got an exception: of the response, if the operation had returned. */
	public void processingFailed() {
		if (hasReturned()) {
			this.response.neverRecord();
		}
		this.response.uncommit();
	}

	/** It has failed, and may have taken effect. */
	public void effectUnknown() {
		observe(Observation.EFFECT_UNKNOWN);
	}

	/** The container no longer waits for the result, as after a time-out. */
	public void noLongerAwaited() {
		observe(Observation.NOT_AWAITED);
	}

	/** The request ends early: as after a time-out, if the operation still runs. */
	public void endedWithoutResult() {
		if (this.step == Step.RUNNING) {
			noLongerAwaited();
		}
	}

	/**
	 * The request has finished; {@code null} if it had finished before. A result that
	 * came too late shows that the operation took effect.
	 */
	synchronized @Nullable Observation finish(boolean hasResult) {
		Observation last = this.observation;
		if (last == Observation.NOT_AWAITED && hasResult && this.step != Step.RETURNED) {
			this.response.neverRecord();
			this.step = Step.RETURNED;
		}
		this.observation = Observation.FINISHED;
		return (last != Observation.FINISHED) ? last : null;
	}

	/** How much the request can tell of the operation; each outweighs those before. */
	enum Observation {

		COMPLETE,

		/** An attempt failed in a way that leaves open whether it took effect. */
		EFFECT_UNKNOWN,

		/** The operation may still run. */
		NOT_AWAITED,

		FINISHED

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
