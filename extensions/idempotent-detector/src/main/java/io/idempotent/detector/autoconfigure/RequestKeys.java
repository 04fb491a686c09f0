package io.idempotent.detector.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

import io.idempotent.store.OperationKey;
import io.idempotent.support.Digest;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.request.QueryFields;
import io.idempotent.webmvc.internal.response.CsrfTokens;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.multipart.support.AbstractMultipartHttpServletRequest;
import org.springframework.web.util.WebUtils;

/** Derives keys of requests: equal keys are the same caller and content. */
record RequestKeys(HttpSettings settings, CallerResolver callers) {

	/** Keeps the keys apart from those of operations. */
	private static final String OPERATION = "idempotent.detector";

	/** After the call. {@code null} if caller or content are not known. */
	@Nullable OperationKey of(HttpServletRequest request, WatchedRequest watched, List<String> path)
			throws IOException, ServletException {
		@Nullable Caller caller = this.callers.resolveCaller(request);
		byte[] body = watched.body();
		if (caller == null || caller.isUnnamed() || body == null) {
			return null;
		}
		Digest.Builder digest = Digest.sha256().add(request.getMethod()).add(Integer.toString(path.size()));
		path.forEach(digest::add);
		// Clients that send keys mean equal content with another key as another
		// operation.
		digest.add(orEmpty(request.getQueryString()))
			.add(orEmpty(request.getHeader(this.settings.keyHeader())))
			.add(body);
		String type = request.getContentType();
		if (StringUtils.startsWithIgnoreCase(type, "application/x-www-form-urlencoded")) {
			if (watched.hasReadParameters()) {
				addForm(digest, request);
			}
		}
		else if (StringUtils.startsWithIgnoreCase(type, "multipart/") && !addParts(digest, request, watched.limit())) {
			return null;
		}
		return OperationKey.of(this.settings.namespace(), OPERATION,
				OperationKey.caller(caller.name(), caller.tenant(), session(request)), digest.build().encoded());
	}

	private @Nullable String session(HttpServletRequest request) {
		HttpSession session = this.settings.bindToSession() ? request.getSession(false) : null;
		return (session != null) ? session.getId() : null;
	}

	/** The container parses a form past the stream. */
	private static void addForm(Digest.Builder digest, HttpServletRequest request) {
		String csrf = CsrfTokens.parameterOf(request);
		new TreeMap<>(QueryFields.inBody(request)).forEach((name, values) -> {
			if (!name.equals(csrf)) {
				digest.add(name).add(Integer.toString(values.size()));
				values.forEach(digest::add);
			}
		});
	}

	/** Returns whether all parts were seen: their boundary differs in each request. */
	private static boolean addParts(Digest.Builder digest, HttpServletRequest request, long limit)
			throws IOException, ServletException {
		AbstractMultipartHttpServletRequest multipart = WebUtils.getNativeRequest(request,
				AbstractMultipartHttpServletRequest.class);
		if (multipart == null || !multipart.isResolved()) {
			return false;
		}
		Collection<Part> parts = multipart.getParts();
		if (parts.isEmpty() || parts.stream().mapToLong(Part::getSize).sum() > limit) {
			return false;
		}
		String csrf = CsrfTokens.parameterOf(request);
		for (Part part : parts) {
			if (!part.getName().equals(csrf)) {
				digest.add(part.getName()).add(orEmpty(part.getSubmittedFileName())).add(content(part));
			}
		}
		return true;
	}

	private static byte[] content(Part part) throws IOException {
		try (InputStream in = part.getInputStream()) {
			return Digest.sha256(in).bytes();
		}
	}

	private static String orEmpty(@Nullable String value) {
		return (value != null) ? value : "";
	}

}
