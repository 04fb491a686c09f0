package io.idempotent.detector.autoconfigure;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.idempotent.support.Digest;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.WebUtils;

/**
 * A request that may be watched. Until it is, and for idempotent operations, the
 * application gets the original streams.
 */
final class WatchedRequest extends HttpServletRequestWrapper {

	/** The methods that RFC 9110 does not define as idempotent. */
	static final Set<String> METHODS = Set.of("POST", "PATCH");

	private final long limit;

	private @Nullable Target target;

	private @Nullable DigestingStream stream;

	private boolean ended;

	/** Whether somebody reads the body past the digest. */
	private boolean unseen;

	private boolean parameters;

	private WatchedRequest(HttpServletRequest request, long limit) {
		super(request);
		this.limit = limit;
	}

	/**
	 * Wraps requests, closest to the handler methods, where the body is that which they
	 * read.
	 * @param limit how many bytes of a body are digested
	 */
	static Filter filter(long limit) {
		return (request, response, chain) -> chain.doFilter(
				(request instanceof HttpServletRequest http && METHODS.contains(http.getMethod()) && find(http) == null)
						? new WatchedRequest(http, limit) : request,
				response);
	}

	static @Nullable WatchedRequest find(HttpServletRequest request) {
		return WebUtils.getNativeRequest(request, WatchedRequest.class);
	}

	/** Begins to watch; later calls change nothing, as after a forward or a dispatch. */
	void watch(WatchedEndpoint endpoint, List<String> path) {
		this.target = (this.target != null) ? this.target : new Target(endpoint, path);
	}

	/** Returns the target once, or {@code null} if the request is not watched. */
	@Nullable Target end() {
		Target watched = this.ended ? null : this.target;
		this.ended = true;
		return watched;
	}

	/**
	 * The digest of what was read of the body; {@code null} if that is not known. What
	 * the application has not read does not distinguish its effects.
	 */
	byte @Nullable [] body() {
		if (this.unseen) {
			return null;
		}
		return (this.stream != null) ? this.stream.end() : Digest.sha256().build().bytes();
	}

	long limit() {
		return this.limit;
	}

	@Override
	public ServletInputStream getInputStream() throws IOException {
		ServletInputStream original = super.getInputStream();
		if (this.target == null) {
			this.unseen = true;
			return original;
		}
		if (this.stream == null) {
			this.stream = new DigestingStream(original, this.limit);
		}
		return this.stream;
	}

	/** Whether parameters were read; to read them now might wait for the client. */
	boolean hasReadParameters() {
		return this.parameters;
	}

	@Override
	public @Nullable String getParameter(String name) {
		this.parameters = true;
		return super.getParameter(name);
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		this.parameters = true;
		return super.getParameterMap();
	}

	@Override
	public Enumeration<String> getParameterNames() {
		this.parameters = true;
		return super.getParameterNames();
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		this.parameters = true;
		return super.getParameterValues(name);
	}

	@Override
	public BufferedReader getReader() throws IOException {
		this.unseen = true;
		return super.getReader();
	}

	/** The endpoint, and what distinguishes its paths. */
	record Target(WatchedEndpoint endpoint, List<String> path) {
	}

}
