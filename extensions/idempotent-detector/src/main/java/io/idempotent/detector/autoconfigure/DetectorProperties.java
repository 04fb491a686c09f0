package io.idempotent.detector.autoconfigure;

import java.time.Duration;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the detector.
 *
 * @param sampling Part of the requests that the detector compares, from 0 (none) to 1
 * (all). A request and its repeats are compared together, or not at all.
 * @param window Time within which a request with the same caller and content is a repeat.
 */
@ConfigurationProperties("idempotent.detector")
record DetectorProperties(@DefaultValue("1.0") double sampling, @DefaultValue("1m") Duration window) {

	DetectorProperties {
		PropertyAssertions.that(sampling >= 0 && sampling <= 1, "idempotent.detector.sampling", sampling,
				"it is no number from 0 to 1", "Give 1 for all requests, 0.1 for a tenth, or 0 for none");
		PropertyAssertions.positive("idempotent.detector.window", window);
	}

}
