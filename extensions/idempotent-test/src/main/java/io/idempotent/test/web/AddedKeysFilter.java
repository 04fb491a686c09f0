package io.idempotent.test.web;

import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import io.idempotent.webmvc.IdempotencyTokens;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.OncePerRequestFilter;

/** Adds what {@link io.idempotent.test.AutoConfigureIdempotency#addKeys()} promises. */
final class AddedKeysFilter extends OncePerRequestFilter {

	private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

	private final HttpNames names;

	private final Supplier<@Nullable IdempotencyTokens> tokens;

	/** Comes after those that authenticate. The application may have no tokens. */
	AddedKeysFilter(HttpNames names, Supplier<@Nullable IdempotencyTokens> tokens) {
		this.names = names;
		this.tokens = tokens;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return SAFE.contains(request.getMethod());
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		chain.doFilter(new KeyedRequest(request, missing(this.tokens.get(), request)), response);
	}

	private Map<String, String> missing(@Nullable IdempotencyTokens tokens, HttpServletRequest request) {
		Map<String, String> headers = new LinkedCaseInsensitiveMap<>();
		if (request.getHeader(this.names.keyHeader()) == null) {
			headers.put(this.names.keyHeader(), '"' + UUID.randomUUID().toString() + '"');
		}
		if (tokens != null && request.getHeader(tokens.header()) == null && !hasField(request, tokens.parameter())) {
			headers.put(tokens.header(), token(tokens, request));
		}
		return headers;
	}

	private static boolean hasField(HttpServletRequest request, String name) {
		String type = String.valueOf(request.getContentType());
		return (type.startsWith("application/x-www-form-urlencoded") || type.startsWith("multipart/form-data"))
				&& request.getParameter(name) != null;
	}

	/** For the caller authenticated by the preceding filters. */
	private static String token(IdempotencyTokens tokens, HttpServletRequest request) {
		RequestAttributes former = RequestContextHolder.getRequestAttributes();
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
		try {
			return tokens.issue();
		}
		finally {
			RequestContextHolder.setRequestAttributes(former);
		}
	}

	private static final class KeyedRequest extends HttpServletRequestWrapper {

		private final Map<String, String> added;

		KeyedRequest(HttpServletRequest request, Map<String, String> added) {
			super(request);
			this.added = added;
		}

		@Override
		public @Nullable String getHeader(String name) {
			String value = this.added.get(name);
			return (value != null) ? value : super.getHeader(name);
		}

		@Override
		public Enumeration<String> getHeaders(String name) {
			String value = this.added.get(name);
			return (value != null) ? Collections.enumeration(Set.of(value)) : super.getHeaders(name);
		}

		@Override
		public Enumeration<String> getHeaderNames() {
			Set<String> names = new LinkedHashSet<>(Collections.list(super.getHeaderNames()));
			names.addAll(this.added.keySet());
			return Collections.enumeration(names);
		}

	}

}
