package io.idempotent.metrics.autoconfigure;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

import io.idempotent.observation.SubmissionObservationContext;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import org.jspecify.annotations.Nullable;

/**
 * Creates the spans of submissions. The span of a replay links to the trace of the run
 * that made the record. A link can only be added to a span that has not started, so a
 * span starts when the gate has decided, with the time at which the observation started.
 */
record SubmissionTracingObservationHandler(Tracer tracer,
		Traceparent traceparent) implements TracingObservationHandler<SubmissionObservationContext> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof SubmissionObservationContext;
	}

	@Override
	public Tracer getTracer() {
		return this.tracer;
	}

	@Override
	public void onStart(SubmissionObservationContext context) {
		Span parent = getParentSpan(context);
		getTracingContext(context);
		context.put(Begin.class, new Begin((parent != null) ? parent : this.tracer.currentSpan(), Instant.now()));
	}

	@Override
	public void onScopeOpened(SubmissionObservationContext context) {
		start(context);
		TracingObservationHandler.super.onScopeOpened(context);
	}

	@Override
	public void onEvent(Observation.Event event, SubmissionObservationContext context) {
		start(context);
		TracingObservationHandler.super.onEvent(event, context);
	}

	@Override
	public void onError(SubmissionObservationContext context) {
		start(context);
		TracingObservationHandler.super.onError(context);
	}

	@Override
	public void onStop(SubmissionObservationContext context) {
		Span span = start(context);
		span.name(getSpanName(context));
		tagSpan(context, span);
		endSpan(context, span);
	}

	/** Starts the span, unless it has started. */
	private Span start(SubmissionObservationContext context) {
		TracingContext tracing = getTracingContext(context);
		Span started = tracing.getSpan();
		if (started != null) {
			return started;
		}
		Begin begin = context.getRequired(Begin.class);
		Span.Builder builder = this.tracer.spanBuilder()
			.name(getSpanName(context))
			.startTimestamp(ChronoUnit.MICROS.between(Instant.EPOCH, begin.time()), TimeUnit.MICROSECONDS);
		String run = context.getRunTraceparent();
		if (run != null) {
			builder.addLink(new Link(this.traceparent.parse(run)));
		}
		Span parent = begin.parent();
		Span span = ((parent != null) ? builder.setParent(parent.context()) : builder.setNoParent()).start();
		tracing.setSpan(span);
		return span;
	}

	/** Within which span, and when, a span starts. */
	private record Begin(@Nullable Span parent, Instant time) {
	}

}
