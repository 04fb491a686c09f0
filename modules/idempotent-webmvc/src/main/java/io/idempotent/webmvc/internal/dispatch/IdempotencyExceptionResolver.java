package io.idempotent.webmvc.internal.dispatch;

import io.idempotent.SubmissionRefusedException;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.webmvc.internal.key.DefaultIdempotencyTokens;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import io.idempotent.webmvc.internal.submission.HttpReplay.ReplayException;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Writes refusals, and replays that were decided in the call of the handler method. It
 * runs before the application's exception handlers: a handler of {@code Exception} would
 * report a replay as an error.
 */
public record IdempotencyExceptionResolver(RefusalWriter writer, IdempotencyGate gate,
		Operations operations) implements HandlerExceptionResolver, Ordered {

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		HttpSubmission submission = HttpSubmission.find(request);
		if (ex instanceof SubmissionRefusedException refused) {
			if (submission == null || submission.context().decided() == null) {
				refusedWithoutKey(refused);
			}
			if (submission != null) {
				submission.context().observeThrown(refused);
			}
			if (this.writer.write(refused, request, response)) {
				return new ModelAndView();
			}
		}
		if (ex instanceof ReplayException && submission != null && submission.replay().write(request)) {
			return new ModelAndView();
		}
		if (submission != null) {
			submission.call().processingFailed();
		}
		return null;
	}

	/** Not a nested call of an idempotent bean method, which was already reported. */
	private void refusedWithoutKey(SubmissionRefusedException refused) {
		if (this.operations.source(refused.operation()) != null) {
			this.gate.refusedWithoutKey(refused, Entrance.HTTP);
		}
		else if (refused.operation().equals(DefaultIdempotencyTokens.OPERATION)) {
			this.gate.refusedWithoutKey(refused);
		}
	}

}
