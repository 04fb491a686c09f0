package io.idempotent.detector.autoconfigure;

import io.idempotent.detector.internal.EndpointCounts;
import io.idempotent.webmvc.internal.HttpIdempotency;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration for the endpoint {@code idempotentdetector}.
 */
@AutoConfiguration(after = DetectorAutoConfiguration.class)
@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(EndpointCounts.class)
@ConditionalOnAvailableEndpoint(DetectorEndpoint.class)
@RegisterReflectionForBinding(DetectorEndpoint.DetectorBody.class)
public final class DetectorEndpointAutoConfiguration {

	@Bean("io.idempotent.idempotentDetectorEndpoint")
	@ConditionalOnMissingBean
	DetectorEndpoint idempotentDetectorEndpoint(DetectorProperties properties, EndpointCounts counts,
			HttpIdempotency idempotency, ObjectProvider<RequestMappingHandlerMapping> mappings) {
		return new DetectorEndpoint(properties, counts, idempotency, mappings::stream);
	}

}
