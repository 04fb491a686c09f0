package io.idempotent.webmvc.internal.key;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import io.idempotent.webmvc.internal.refusal.ErrorDocument;
import io.idempotent.webmvc.internal.request.AcceptedTypes;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Issues form tokens, by default at {@code GET /token}. It writes the response itself,
 * and is no controller: neither converters, advices nor prefixes of paths that the
 * application has for its controllers apply to it.
 */
public record TokenEndpoint(DefaultIdempotencyTokens tokens) {

	private static final Log logger = LogFactory.getLog(TokenEndpoint.class);

	/** An own handler of the application at the path takes its place. */
	public void register(RequestMappingHandlerMapping mapping, String path) {
		RequestMappingInfo info = RequestMappingInfo.paths(path)
			.methods(RequestMethod.GET)
			.options(mapping.getBuilderConfiguration())
			.build();
		mapping.getHandlerMethods()
			.entrySet()
			.stream()
			.filter((own) -> servesGet(own.getKey(), info))
			.map(Map.Entry::getValue)
			.findFirst()
			.ifPresentOrElse(
					(own) -> logger.warn("GET " + path + " is mapped to " + own.getBeanType().getSimpleName() + "."
							+ own.getMethod().getName()
							+ ", so the token endpoint is not there. Set idempotent.token.path to another path, or "
							+ "idempotent.token.enabled=false if clients fetch no form tokens"),
					() -> mapping.registerMapping(info, this,
							Objects.requireNonNull(BeanUtils.resolveSignature("issue", TokenEndpoint.class))));
	}

	private static boolean servesGet(RequestMappingInfo own, RequestMappingInfo tokens) {
		Set<RequestMethod> methods = own.getMethodsCondition().getMethods();
		return (methods.isEmpty() || methods.contains(RequestMethod.GET))
				&& !Collections.disjoint(own.getPatternValues(), tokens.getPatternValues());
	}

	/** Annotated for documents of the API and for native images. */
	@GetMapping
	public void issue(HttpServletRequest request, HttpServletResponse response,
			@RequestParam(required = false) @Nullable String operation) throws IOException {
		MediaType type = AcceptedTypes.prefer(request, MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN);
		if (type == null) {
			response.setStatus(HttpServletResponse.SC_NOT_ACCEPTABLE);
			return;
		}
		String required;
		try {
			required = (operation != null) ? this.tokens.required(operation) : TokenService.ANY_OPERATION;
		}
		catch (IllegalArgumentException ex) {
			response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
			write(response, "application/problem+json", ErrorDocument
				.json(new TreeMap<>(Map.of("title", "Bad Request", "status", 400, "detail", ex.getMessage()))));
			return;
		}
		String token = this.tokens.issue(request, required);
		if (type.equals(MediaType.TEXT_PLAIN)) {
			write(response, "text/plain;charset=UTF-8", token);
			return;
		}
		Map<String, Object> issued = new LinkedHashMap<>();
		issued.put("token", token);
		issued.put("header", this.tokens.header());
		// For its first use, in seconds.
		issued.put("expiresIn", this.tokens.timeToLive().toSeconds());
		write(response, "application/json", ErrorDocument.json(issued));
	}

	private static void write(HttpServletResponse response, String type, String text) throws IOException {
		byte[] body = text.getBytes(StandardCharsets.UTF_8);
		response.setContentType(type);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

}
