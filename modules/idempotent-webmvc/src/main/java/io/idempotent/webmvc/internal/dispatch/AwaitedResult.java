package io.idempotent.webmvc.internal.dispatch;

import java.io.IOException;
import java.util.concurrent.Callable;

import io.idempotent.webmvc.internal.submission.HttpSubmission;
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
 * Notes the asynchronous result of an operation. After a filter has failed, the container
 * may not dispatch it: then the end of a {@code Callable} ends the submission.
 */
record AwaitedResult(HttpSubmission submission,
		HttpServletRequest request) implements CallableProcessingInterceptor, DeferredResultProcessingInterceptor {

	static void register(HttpSubmission submission, HttpServletRequest request, @Nullable Object returned) {
		AwaitedResult result = new AwaitedResult(submission, request);
		WebAsyncManager asyncManager = WebAsyncUtils.getAsyncManager(request);
		if (returned instanceof Callable<?> || returned instanceof WebAsyncTask<?>) {
			asyncManager.registerCallableInterceptor(AwaitedResult.class, result);
		}
		else {
			asyncManager.registerDeferredResultInterceptor(AwaitedResult.class, result);
		}
	}

	@Override
	public <T> void beforeConcurrentHandling(NativeWebRequest webRequest, Callable<T> task) {
		this.submission.call().awaitTask();
	}

	@Override
	public <T> void preProcess(NativeWebRequest webRequest, Callable<T> task) {
		if (!this.submission.call().startTask()) {
			throw new IllegalStateException("The request has failed before " + task + " was run");
		}
	}

	@Override
	public <T> void postProcess(NativeWebRequest webRequest, Callable<T> task, @Nullable Object result)
			throws IOException {
		if (this.submission.call().endTask(!(result instanceof Throwable))) {
			this.submission.response().discardBuffered();
			this.submission.call().requestFailed();
			this.submission.finish(this.request, null);
		}
	}

	@Override
	public <T> void postProcess(NativeWebRequest webRequest, DeferredResult<T> deferred, @Nullable Object result) {
		this.submission.call().endTask(!(result instanceof Throwable));
	}

}
