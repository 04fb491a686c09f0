package io.idempotent.administration.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Warns of endpoints that let every client release operations and take locks away. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
final class OpenEndpointsConfiguration {

	private static final Log logger = LogFactory.getLog(OpenEndpointsConfiguration.class);

	private static final List<EndpointId> ENDPOINTS = Stream.of("idempotent", "locks").map(EndpointId::of).toList();

	@Bean("io.idempotent.idempotentOpenEndpointsCheck")
	SmartInitializingSingleton idempotentOpenEndpointsCheck(PathMappedEndpoints paths, EndpointAccessResolver access,
			ListableBeanFactory beans) {
		return () -> {
			String open = ENDPOINTS.stream()
				.filter((endpoint) -> access.accessFor(endpoint, Access.READ_ONLY) == Access.UNRESTRICTED)
				.map(paths::getPath)
				.filter((path) -> path != null)
				.collect(Collectors.joining(" and "));
			if (!open.isEmpty() && !beans.containsBean("springSecurityFilterChain")) {
				logger.warn("Every client that reaches " + open
						+ " can release operations or take locks away: the access is unrestricted, and there is no "
						+ "Spring Security. Add it, or set management.endpoint.<id>.access=read-only");
			}
		};
	}

}
