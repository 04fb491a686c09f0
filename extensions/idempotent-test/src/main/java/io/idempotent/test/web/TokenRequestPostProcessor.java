package io.idempotent.test.web;

import java.io.UnsupportedEncodingException;
import java.util.Collections;

import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** Fetches a token as the caller of a request, and adds it to the request. */
final class TokenRequestPostProcessor implements RequestPostProcessor {

	private static final String SECURITY_FILTER = "springSecurityFilterChain";

	private @Nullable String token;

	@Override
	public synchronized MockHttpServletRequest postProcessRequest(MockHttpServletRequest request) {
		HttpNames names = HttpNames.in(request.getServletContext());
		if (this.token == null) {
			this.token = fetch(request, names.tokenPath());
		}
		request.addHeader(names.tokenHeader(), this.token);
		return request;
	}

	private static String fetch(MockHttpServletRequest request, String path) {
		WebApplicationContext context = WebApplicationContextUtils
			.getRequiredWebApplicationContext(request.getServletContext());
		DefaultMockMvcBuilder mvc = MockMvcBuilders.webAppContextSetup(context);
		if (context.containsBean(SECURITY_FILTER)) {
			mvc.addFilters(context.getBean(SECURITY_FILTER, Filter.class));
		}
		try {
			MvcResult result = mvc.build()
				.perform(MockMvcRequestBuilders.get(path).accept(MediaType.TEXT_PLAIN).with(callerOf(request)))
				.andReturn();
			keepSession(result.getRequest(), request);
			return token(result.getResponse(), path);
		}
		catch (Exception ex) {
			throw new IllegalStateException("Could not fetch a token from " + path, ex);
		}
	}

	private static String token(MockHttpServletResponse response, String path) throws UnsupportedEncodingException {
		if (response.getStatus() != HttpStatus.OK.value()) {
			throw new IllegalStateException("GET " + path + " was answered with status " + response.getStatus()
					+ ". Set idempotent.token.enabled=true, permit the caller of the test to fetch tokens, and put "
					+ "user(…) before idempotencyToken()");
		}
		return response.getContentAsString();
	}

	private static RequestPostProcessor callerOf(MockHttpServletRequest original) {
		return (request) -> {
			Collections.list(original.getAttributeNames())
				.forEach((name) -> request.setAttribute(name, original.getAttribute(name)));
			Collections.list(original.getHeaderNames())
				.stream()
				.filter((name) -> !isOfContent(name))
				.forEach((name) -> Collections.list(original.getHeaders(name))
					.forEach((value) -> request.addHeader(name, value)));
			request.setCookies(original.getCookies());
			request.setUserPrincipal(original.getUserPrincipal());
			request.setRemoteUser(original.getRemoteUser());
			request.setRemoteAddr(original.getRemoteAddr());
			keepSession(original, request);
			return request;
		};
	}

	private static boolean isOfContent(String header) {
		return header.equalsIgnoreCase(HttpHeaders.ACCEPT) || header.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)
				|| header.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH);
	}

	/** A token may belong to a session, which it may create. */
	private static void keepSession(MockHttpServletRequest from, MockHttpServletRequest to) {
		if (to.getSession(false) == null && from.getSession(false) instanceof MockHttpSession session) {
			to.setSession(session);
		}
	}

}
