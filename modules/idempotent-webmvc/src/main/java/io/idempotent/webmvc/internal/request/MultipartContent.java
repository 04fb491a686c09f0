package io.idempotent.webmvc.internal.request;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.idempotent.support.Digest;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.MultipartHttpServletRequest;
import org.springframework.web.multipart.support.StandardMultipartHttpServletRequest;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.springframework.web.util.WebUtils;

/** Parts sorted by name, of the container or of the application's own resolver. */
record MultipartContent(Collection<Part> parts, @Nullable MultipartHttpServletRequest resolved, boolean unreadable) {

	/** Two hyphens on each side, and two line breaks. */
	private static final int AROUND_LAST_BOUNDARY = 8;

	/** {@code null} if there are no parts, or the container missed some: bytes count. */
	static @Nullable MultipartContent of(HttpServletRequest request, CachedBodyRequest cachedRequest,
			@Nullable MediaType type, boolean isKey) throws IOException, ServletException {
		MultipartHttpServletRequest resolved = WebUtils.getNativeRequest(request, MultipartHttpServletRequest.class);
		if (resolved != null && !(resolved instanceof StandardMultipartHttpServletRequest)) {
			return new MultipartContent(List.of(), resolved, false);
		}
		if (resolved != null && !isReadable(resolved, isKey)) {
			return new MultipartContent(List.of(), null, true);
		}
		// Spring lets the container parse every multipart/*, and then no bytes are left.
		if (resolved == null
				&& (!MediaType.MULTIPART_FORM_DATA.equalsTypeAndSubtype(type) || isParsedByNobody(request))) {
			return null;
		}
		try {
			Collection<Part> parts = request.getParts();
			return (mayBeAll(parts, request, type) && !cachedRequest.isReadByFilter(parts))
					? new MultipartContent(parts, null, false) : null;
		}
		catch (IllegalStateException ex) {
			// The container does not parse multipart requests.
			return null;
		}
	}

	/** If parts are resolved lazily, their failure is left to the handler method. */
	private static boolean isReadable(MultipartHttpServletRequest resolved, boolean isKey) {
		try {
			resolved.getMultiFileMap();
			return true;
		}
		catch (MultipartException ex) {
			if (isKey) {
				throw ex;
			}
			return false;
		}
	}

	/** To ask Tomcat for parts that it does not parse would fail its parameters. */
	private static boolean isParsedByNobody(HttpServletRequest request) {
		WebApplicationContext context = RequestContextUtils.findWebApplicationContext(request);
		return context != null && !context.containsBean(DispatcherServlet.MULTIPART_RESOLVER_BEAN_NAME)
				&& context.getBeanNamesForType(MultipartConfigElement.class, false, false).length == 0;
	}

	/** Without parts, a body consists of its last boundary. */
	private static boolean mayBeAll(Collection<Part> parts, HttpServletRequest request, @Nullable MediaType type) {
		String boundary = (type != null) ? type.getParameter("boundary") : null;
		long length = request.getContentLengthLong();
		return !parts.isEmpty()
				|| (boundary != null && length >= 0 && length <= boundary.length() + AROUND_LAST_BOUNDARY);
	}

	void addTo(Digest.Builder digest, Predicate<String> counts) throws IOException {
		if (this.resolved != null) {
			addResolved(digest, this.resolved, counts);
			return;
		}
		digest.add(this.unreadable ? "unreadable" : "multipart");
		List<Part> sorted = new ArrayList<>(this.parts);
		// A stable sort: the order of parts with the same name counts.
		sorted.sort(Comparator.comparing(Part::getName));
		for (Part part : sorted) {
			if (counts.test(part.getName())) {
				digest.add(part.getName())
					.add((part.getSubmittedFileName() != null) ? "=" + part.getSubmittedFileName() : "-")
					.add(content(part.getInputStream()));
			}
		}
	}

	private static void addResolved(Digest.Builder digest, MultipartHttpServletRequest request,
			Predicate<String> counts) throws IOException {
		digest.add("files");
		for (Map.Entry<String, List<MultipartFile>> files : new TreeMap<>(request.getMultiFileMap()).entrySet()) {
			for (MultipartFile file : files.getValue()) {
				if (counts.test(files.getKey())) {
					digest.add(files.getKey())
						.add("=" + file.getOriginalFilename())
						.add(content(file.getInputStream()));
				}
			}
		}
	}

	/** A file may be large: its digest is computed from the copy on the disk. */
	private static byte[] content(InputStream in) throws IOException {
		try (in) {
			return Digest.sha256(in).bytes();
		}
	}

}
