package io.idempotent.steps.autoconfigure;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.steps.internal.StepObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * An observation {@code idempotent.step} for each step that runs, and counters. The name
 * of the step is no tag of a meter, since it may contain an identifier.
 */
record MicrometerStepObserver(ObservationRegistry registry, @Nullable MeterRegistry meters) implements StepObserver {

	@Override
	@SuppressWarnings("NullAway") // a step may return null
	public <T extends @Nullable Object, X extends Throwable> T observe(String operation, String step, String kind,
			ThrowingSupplier<T, X> code) throws X {
		return Observation.createNotStarted("idempotent.step", this.registry)
			.contextualName("step " + step)
			.lowCardinalityKeyValue("operation", operation)
			.lowCardinalityKeyValue("kind", kind)
			.highCardinalityKeyValue("step", step)
			.<T, X>observeChecked(code::get);
	}

	@Override
	public void changed(String operation, String step) {
		count("idempotent.steps.changed", "operation", operation, "step", step);
	}

	@Override
	public void resumed(String operation, String outcome) {
		count("idempotent.steps.resumed", "operation", operation, "outcome", outcome);
	}

	private void count(String name, String... tags) {
		if (this.meters != null) {
			this.meters.counter(name, tags).increment();
		}
	}

}
