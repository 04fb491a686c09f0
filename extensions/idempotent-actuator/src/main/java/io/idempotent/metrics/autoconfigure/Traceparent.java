package io.idempotent.metrics.autoconfigure;

import java.util.function.Supplier;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;

/** The {@code traceparent} header of the W3C: {@code 00-<trace>-<span>-<flags>}. */
record Traceparent(Tracer tracer) implements Supplier<@Nullable String> {

	private static final int TRACE_LENGTH = 32;

	private static final int SPAN_START = 36;

	private static final int SPAN_LENGTH = 16;

	private static final String SAMPLED = "01";

	@Override
	public @Nullable String get() {
		Span span = this.tracer.currentSpan();
		return (span != null) ? format(span.context()) : null;
	}

	/** A trace id of 64 bits is padded. */
	private static @Nullable String format(TraceContext context) {
		String trace = context.traceId();
		String span = context.spanId();
		if (trace.isEmpty() || trace.length() > TRACE_LENGTH || span.length() != SPAN_LENGTH) {
			return null;
		}
		return "00-" + "0".repeat(TRACE_LENGTH - trace.length()) + trace + "-" + span + "-"
				+ (Boolean.TRUE.equals(context.sampled()) ? SAMPLED : "00");
	}

	/** Reads a text of the right format. */
	TraceContext parse(String traceparent) {
		return this.tracer.traceContextBuilder()
			.traceId(traceparent.substring(3, 3 + TRACE_LENGTH))
			.spanId(traceparent.substring(SPAN_START, SPAN_START + SPAN_LENGTH))
			.sampled(traceparent.endsWith(SAMPLED))
			.build();
	}

}
