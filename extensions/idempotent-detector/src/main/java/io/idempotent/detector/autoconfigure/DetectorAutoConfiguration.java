package io.idempotent.detector.autoconfigure;

import java.util.Locale;

import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.properties.StoreProperties.StoreType;
import io.idempotent.detector.autoconfigure.RepeatDetector.DetectionListener;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.webmvc.CallerResolver;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration for the detector of requests that run twice, and its endpoint.
 */
@AutoConfiguration(after = IdempotencyWebMvcAutoConfiguration.class,
		beforeName = { "org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration",
				"org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration" })
@ConditionalOnClass(HttpIdempotency.class)
@ConditionalOnBean(HttpIdempotency.class)
@EnableConfigurationProperties(DetectorProperties.class)
public final class DetectorAutoConfiguration {

	/** In the memory of a node, where there is no shared store. */
	private static final int MAX_LOCAL_RECORDS = 50_000;

	@Bean("io.idempotent.idempotentDetectorCounts")
	EndpointCounts idempotentDetectorCounts(DetectorProperties properties) {
		return new EndpointCounts(properties.window());
	}

	@Bean("io.idempotent.idempotentDetector")
	RepeatDetector idempotentDetector(DetectorProperties properties, IdempotentProperties idempotent,
			ObjectProvider<IdempotencyStore> store, ObjectProvider<DetectionListener> listeners) {
		return new RepeatDetector(store(store.getIfAvailable(), idempotent.store().type()), properties.sampling(),
				properties.window(), listeners.orderedStream().toList());
	}

	/** A full store in memory would refuse operations, and receipts keep no claims. */
	private static IdempotencyStore store(@Nullable IdempotencyStore store, StoreType type) {
		boolean keepsClaims = type == StoreType.REDIS || type == StoreType.JDBC;
		return (store != null && keepsClaims && !(store instanceof LocalIdempotencyStore)) ? store
				: new LocalIdempotencyStore(MAX_LOCAL_RECORDS);
	}

	/** Without a registration it comes after the filters of the application. */
	@Bean("io.idempotent.idempotentDetectorFilter")
	Filter idempotentDetectorFilter(IdempotentProperties properties) {
		return WatchedRequest.filter(properties.web().maxRequestBody().toBytes());
	}

	@Bean("io.idempotent.idempotentDetectorWebMvcConfigurer")
	WebMvcConfigurer idempotentDetectorWebMvcConfigurer(ObjectProvider<HttpIdempotency> idempotency,
			ObjectProvider<CallerResolver> callers, ObjectProvider<RepeatDetector> detector,
			DetectorProperties properties) {
		return new WebMvcConfigurer() {

			@Override
			public void addInterceptors(InterceptorRegistry registry) {
				if (properties.sampling() > 0) {
					RequestKeys keys = new RequestKeys(idempotency.getObject().settings(),
							callers.getIfAvailable(() -> CallerResolver::principal));
					// After the interceptor of idempotent operations, which is registered
					// before with the same order.
					registry.addInterceptor(new DetectionInterceptor(keys, detector.getObject()))
						.order(Ordered.LOWEST_PRECEDENCE);
				}
			}

		};
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class MetricsConfiguration {

		/** The tags have the values of {@code http.server.requests}. */
		@Bean("io.idempotent.idempotentDetectorMetrics")
		DetectionListener idempotentDetectorMetrics(ObjectProvider<MeterRegistry> meters) {
			MeterRegistry registry = meters.getIfUnique();
			return (endpoint, verdict) -> {
				if (registry != null) {
					registry
						.counter("idempotent.detector.requests", "method", endpoint.method(), "uri", endpoint.uri(),
								"verdict", verdict.name().toLowerCase(Locale.ROOT))
						.increment();
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnAvailableEndpoint(DetectorEndpoint.class)
	@RegisterReflectionForBinding(DetectorEndpoint.DetectorBody.class)
	static class EndpointConfiguration {

		@Bean("io.idempotent.idempotentDetectorEndpoint")
		@ConditionalOnMissingBean
		DetectorEndpoint idempotentDetectorEndpoint(DetectorProperties properties, EndpointCounts counts,
				HttpIdempotency idempotency, ObjectProvider<RequestMappingHandlerMapping> mappings) {
			return new DetectorEndpoint(properties, counts, idempotency, mappings::stream);
		}

	}

}
