package io.idempotent.submission;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Reads the trace of the current thread, which is kept with the record of a run. Safe for
 * use by several threads; must neither block nor throw.
 */
@FunctionalInterface
public interface CurrentTrace extends Supplier<@Nullable String> {

	CurrentTrace NONE = () -> null;

	/** A W3C {@code traceparent}, or {@code null} outside of a trace. */
	@Override
	@Nullable String get();

}
