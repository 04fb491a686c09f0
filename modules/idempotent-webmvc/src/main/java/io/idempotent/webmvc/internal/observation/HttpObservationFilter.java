package io.idempotent.webmvc.internal.observation;

import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * Adds the outcome of the submission to the observation {@code http.server.requests}, as
 * {@code idempotent.outcome}: {@code none} if nothing is submitted, so that all requests
 * have the same tags. Needs an observer of submissions on the same registry.
 */
public final class HttpObservationFilter implements ObservationFilter {

	private static final String KEY = "idempotent.outcome";

	private static final KeyValue NONE = KeyValue.of(KEY, KeyValue.NONE_VALUE);

	@Override
	public Observation.Context map(Observation.Context context) {
		if (context instanceof ServerRequestObservationContext request) {
			HttpServletRequest carrier = request.getCarrier();
			Object outcome = (carrier != null) ? carrier.getAttribute(HttpSettings.OUTCOME_ATTRIBUTE) : null;
			context.addLowCardinalityKeyValue((outcome instanceof String code) ? KeyValue.of(KEY, code) : NONE);
		}
		return context;
	}

}
