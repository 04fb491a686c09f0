package io.idempotent.boot;

import java.util.Collections;
import java.util.Map;
import java.util.Set;

import io.idempotent.webmvc.internal.key.TokenEndpoint;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * A handler method of the application at the path of the token endpoint: it stays the
 * only one there, whatever media type is asked for.
 */
final class TokenPathConflict {

	private static final Log logger = LogFactory.getLog(TokenPathConflict.class);

	private TokenPathConflict() {
	}

	static void giveWay(RequestMappingHandlerMapping mapping) {
		Map<RequestMappingInfo, HandlerMethod> handlers = mapping.getHandlerMethods();
		handlers.forEach((info, handler) -> {
			if (isTokenEndpoint(handler)) {
				handlers.entrySet()
					.stream()
					.filter((other) -> !isTokenEndpoint(other.getValue()) && servesGet(other.getKey(), info))
					.findFirst()
					.ifPresent((other) -> giveWay(mapping, info, other.getValue()));
			}
		});
	}

	private static void giveWay(RequestMappingHandlerMapping mapping, RequestMappingInfo info, HandlerMethod handler) {
		mapping.unregisterMapping(info);
		logger.warn("GET " + String.join(", ", info.getPatternValues()) + " is mapped to "
				+ handler.getBeanType().getSimpleName() + "." + handler.getMethod().getName()
				+ ", so the token endpoint is not there. Set idempotent.token.path to another path, or "
				+ "idempotent.token.enabled=false if clients fetch no form tokens");
	}

	private static boolean isTokenEndpoint(HandlerMethod handler) {
		return TokenEndpoint.class.isAssignableFrom(handler.getBeanType());
	}

	private static boolean servesGet(RequestMappingInfo info, RequestMappingInfo tokens) {
		Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
		return (methods.isEmpty() || methods.contains(RequestMethod.GET))
				&& !Collections.disjoint(info.getPatternValues(), tokens.getPatternValues());
	}

}
