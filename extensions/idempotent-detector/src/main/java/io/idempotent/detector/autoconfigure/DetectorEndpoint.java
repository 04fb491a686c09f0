package io.idempotent.detector.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.detector.autoconfigure.EndpointCounts.Count;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Lists the endpoints of this node that HTTP does not define as idempotent: whether they
 * have the annotation, and what the detector has counted.
 */
@WebEndpoint(id = "idempotentdetector", defaultAccess = Access.READ_ONLY)
class DetectorEndpoint {

	private static final Comparator<EndpointBody> MOST_REPEATED_FIRST = Comparator.comparingLong(EndpointBody::repeated)
		.reversed()
		.thenComparing(EndpointBody::uri)
		.thenComparing(EndpointBody::method)
		.thenComparing(EndpointBody::handler);

	private final DetectorProperties properties;

	private final EndpointCounts counts;

	private final HttpIdempotency idempotency;

	private final Supplier<Stream<RequestMappingHandlerMapping>> mappings;

	private final Instant since = Instant.now();

	DetectorEndpoint(DetectorProperties properties, EndpointCounts counts, HttpIdempotency idempotency,
			Supplier<Stream<RequestMappingHandlerMapping>> mappings) {
		this.properties = properties;
		this.counts = counts;
		this.idempotency = idempotency;
		this.mappings = mappings;
	}

	/** Those with most repeats come first. */
	@ReadOperation
	public DetectorBody endpoints() {
		Map<WatchedEndpoint, Boolean> idempotent = new HashMap<>();
		this.mappings.get()
			.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
			.filter((mapped) -> !isErrorController(mapped.getValue().getBeanType()))
			.forEach((mapped) -> endpoints(mapped.getKey(), mapped.getValue())
				.forEach((endpoint) -> idempotent.merge(endpoint,
						this.idempotency.isOperation(mapped.getValue(), mapped.getKey()), Boolean::logicalAnd)));
		Map<WatchedEndpoint, Count> counted = this.counts.counts();
		Set<WatchedEndpoint> all = Stream.concat(idempotent.keySet().stream(), counted.keySet().stream())
			.collect(Collectors.toSet());
		return new DetectorBody(this.since, this.properties.sampling(), this.properties.window(),
				all.stream()
					.map((endpoint) -> EndpointBody.of(endpoint, idempotent.getOrDefault(endpoint, false),
							counted.getOrDefault(endpoint, Count.NONE)))
					.sorted(MOST_REPEATED_FIRST)
					.toList());
	}

	/** An {@code ErrorController} of any generation of Spring Boot. */
	private static boolean isErrorController(Class<?> type) {
		return ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.anyMatch((each) -> each.getName().matches("org\\.springframework\\.boot\\..+\\.ErrorController"));
	}

	/** A mapping without methods is listed with the usual one. */
	private static Stream<WatchedEndpoint> endpoints(RequestMappingInfo info, HandlerMethod handler) {
		Set<String> methods = info.getMethodsCondition()
			.getMethods()
			.stream()
			.map(RequestMethod::name)
			.collect(Collectors.toCollection(TreeSet::new));
		return (methods.isEmpty() ? Stream.of(RequestMethod.POST.name())
				: methods.stream().filter(WatchedRequest.METHODS::contains))
			.flatMap((method) -> info.getPatternValues()
				.stream()
				.map((pattern) -> WatchedEndpoint.of(method, pattern, handler)));
	}

	record DetectorBody(Instant since, double sampling, Duration window,
			List<EndpointBody> endpoints) implements OperationResponseBody {
	}

	record EndpointBody(String method, String uri, String handler, boolean idempotent, long requests, long repeated,
			long unjudged, @Nullable Instant lastRepeat) {

		static EndpointBody of(WatchedEndpoint endpoint, boolean idempotent, Count count) {
			return new EndpointBody(endpoint.method(), endpoint.uri(), endpoint.handler(), idempotent, count.requests(),
					count.repeated(), count.unjudged(), count.lastRepeat());
		}

	}

}
