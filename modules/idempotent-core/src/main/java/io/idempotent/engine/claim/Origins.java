package io.idempotent.engine.claim;

import java.time.Instant;
import java.util.function.Supplier;

import io.idempotent.store.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Creates the origins of the claims of one node.
 *
 * @param application the application in origins
 * @param node the name of the node, or {@code null} if no origins are kept
 * @param traceparent returns the W3C {@code traceparent} of the current trace
 */
public record Origins(String application, @Nullable String node, Supplier<@Nullable String> traceparent) {

	/** Keeps no origins. */
	public static final Origins NONE = new Origins("", null, () -> null);

	@Nullable Origin of(String operation) {
		return (this.node != null)
				? new Origin(this.application, operation, this.node, this.traceparent.get(), Instant.now()) : null;
	}

}
