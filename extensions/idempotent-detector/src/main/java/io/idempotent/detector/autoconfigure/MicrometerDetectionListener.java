package io.idempotent.detector.autoconfigure;

import java.util.Locale;

import io.idempotent.detector.internal.DetectionListener;
import io.idempotent.detector.internal.WatchedEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** A counter, whose tags have the values of {@code http.server.requests}. */
record MicrometerDetectionListener(@Nullable MeterRegistry meters) implements DetectionListener {

	@Override
	public void onRequest(WatchedEndpoint endpoint, Verdict verdict) {
		if (this.meters != null) {
			this.meters
				.counter("idempotent.detector.requests", "method", endpoint.method(), "uri", endpoint.uri(), "verdict",
						verdict.name().toLowerCase(Locale.ROOT))
				.increment();
		}
	}

}
