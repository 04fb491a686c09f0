package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.DeferredResultProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.context.request.async.WebAsyncUtils;

/**
 * The {@link Callable} that a handler method has returned, until its result is available;
 * of a {@code DeferredResult}, the result only. After a filter has failed, the container
 * may not dispatch the result: then the end of the {@code Callable} ends the submission.
 * Safe for use by several threads.
 */
public final class AsyncTask implements CallableProcessingInterceptor, DeferredResultProcessingInterceptor {

	private final HandlerCall call;

	private final SubmissionRequest request;

	private State state = State.NONE;

	AsyncTask(HandlerCall call, SubmissionRequest request) {
		this.call = call;
		this.request = request;
	}

	/** To be called with what the handler method has returned. */
	public void observe(HttpServletRequest current, @Nullable Object returned) {
		WebAsyncManager asyncManager = WebAsyncUtils.getAsyncManager(current);
		if (returned instanceof Callable<?> || returned instanceof WebAsyncTask<?>) {
			asyncManager.registerCallableInterceptor(AsyncTask.class, this);
		}
		else {
			asyncManager.registerDeferredResultInterceptor(AsyncTask.class, this);
		}
	}

	/** That of a later dispatch is another's. */
	@Override
	public synchronized <T> void beforeConcurrentHandling(NativeWebRequest webRequest, Callable<T> task) {
		if (this.state == State.NONE || hasEnded()) {
			this.state = this.call.hasFinished() ? State.NONE : State.SUBMITTED;
		}
	}

	/** It does not run if its request has ended. */
	@Override
	public synchronized <T> void preProcess(NativeWebRequest webRequest, Callable<T> task) {
		if (this.state == State.SUBMITTED) {
			this.state = this.call.hasFinished() ? State.FAILED : State.RUNNING;
		}
		if (hasEnded()) {
			throw new IllegalStateException("The request has failed before " + task + " was run");
		}
	}

	/** If it was abandoned, the web request may be that of an error page. */
	@Override
	public <T> void postProcess(NativeWebRequest webRequest, Callable<T> task, @Nullable Object result)
			throws IOException {
		if (end(result, State.RETURNED)) {
			this.request.response().discardBuffered();
			requestFailed();
			Objects.requireNonNull(this.request.submission()).finish(this.request, null);
		}
	}

	@Override
	public <T> void postProcess(NativeWebRequest webRequest, DeferredResult<T> deferred, @Nullable Object result) {
		end(result, State.RESULT_SET);
	}

	/** Returns whether it was abandoned. */
	private synchronized boolean end(@Nullable Object result, State succeeded) {
		boolean abandoned = this.state == State.ABANDONED;
		this.state = (result instanceof Throwable) ? State.FAILED : succeeded;
		return abandoned;
	}

	/**
	 * The request has ended outside of the handler. Returns {@code true} if it still
	 * runs: then its end ends the submission. If it has not begun, it never does.
	 */
	public synchronized boolean abandonIfRunning() {
		if (this.state == State.RUNNING || this.state == State.ABANDONED) {
			this.state = State.ABANDONED;
			this.call.noLongerAwaited();
			return true;
		}
		if (this.state == State.SUBMITTED) {
			this.state = State.FAILED;
			this.call.notRun();
		}
		return false;
	}

	/** The request has failed: only a success counts, without its response. */
	public synchronized void requestFailed() {
		if (hasEnded() && this.state != State.FAILED) {
			this.request.response().neverRecord();
			this.call.returned();
		}
		else {
			this.call.endedWithoutResult();
		}
	}

	/** The {@code Callable} has returned, whether or not its result was awaited. */
	synchronized boolean hasReturned() {
		return this.state == State.RETURNED;
	}

	private boolean hasEnded() {
		return this.state.compareTo(State.ABANDONED) > 0;
	}

	/**
	 * ABANDONED: it runs, and no request awaits it. RESULT_SET: of a
	 * {@code DeferredResult}, also by its time-out. FAILED: or it may not begin.
	 */
	private enum State {

		NONE, SUBMITTED, RUNNING, ABANDONED, RETURNED, RESULT_SET, FAILED

	}

}
