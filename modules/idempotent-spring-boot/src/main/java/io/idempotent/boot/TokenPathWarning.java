package io.idempotent.boot;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.webmvc.TokenEndpoint;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Warns of a handler method of the application that is mapped to the path of the token
 * endpoint: Spring MVC may choose it, and clients get no token.
 */
final class TokenPathWarning {

	private static final Log logger = LogFactory.getLog(TokenPathWarning.class);

	private TokenPathWarning() {
	}

	static void log(RequestMappingHandlerMapping mapping) {
		Map<RequestMappingInfo, HandlerMethod> handlers = mapping.getHandlerMethods();
		Set<String> paths = handlers.entrySet()
			.stream()
			.filter((entry) -> isTokenEndpoint(entry.getValue()))
			.flatMap((entry) -> entry.getKey().getPatternValues().stream())
			.collect(Collectors.toSet());
		handlers.forEach((info, handler) -> {
			if (!isTokenEndpoint(handler) && servesGet(info)) {
				info.getPatternValues().stream().filter(paths::contains).forEach((path) -> warn(path, handler));
			}
		});
	}

	private static boolean isTokenEndpoint(HandlerMethod handler) {
		return TokenEndpoint.class.isAssignableFrom(handler.getBeanType());
	}

	private static boolean servesGet(RequestMappingInfo info) {
		Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
		return methods.isEmpty() || methods.contains(RequestMethod.GET);
	}

	private static void warn(String path, HandlerMethod handler) {
		logger.warn("GET " + path + " is mapped to " + handler.getBeanType().getSimpleName() + "."
				+ handler.getMethod().getName()
				+ " as well as to the token endpoint, so that clients may get no form token there. Set "
				+ "idempotent.token.path to another path, or idempotent.token.enabled=false if no form tokens are used");
	}

}
