package io.idempotent.webmvc.internal.request;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpEntity;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ContentCachingRequestWrapper;

/**
 * Stands between the container's request and all wrappers. A container serves a form as
 * parameters or as a body, whatever is asked for first, and once; this request does so
 * for the fingerprint, and after {@link #rewind()} for the handler method. If that binds
 * parameters, the container parses the form.
 */
final class RewindableRequest extends RepeatableRequest {

	private static final byte[] NOTHING = {};

	private final FormParser parser;

	private final int limit;

	private final String operation;

	private final boolean bindsParameters;

	private byte @Nullable [] form;

	/** The parameters in the body, once anybody has asked for a parameter or the body. */
	private @Nullable Map<String, String[]> fields;

	private @Nullable RuntimeException failure;

	/** The copies, each by the wrapper above it. */
	private final Map<ServletRequestWrapper, ServletRequest> leftOut = new LinkedHashMap<>();

	RewindableRequest(HttpServletRequest request, FormParser parser, int limit, String operation,
			boolean bindsParameters) {
		super(request);
		this.parser = parser;
		this.limit = limit;
		this.operation = operation;
		this.bindsParameters = bindsParameters;
	}

	/** The bytes of a form, if it was read; none if a filter has read them before. */
	byte @Nullable [] form() {
		return this.form;
	}

	boolean isForm() {
		return this.parser.isForm(original());
	}

	/**
	 * Whether Spring asks for parameters before anybody can read the body, so that the
	 * container parses the form itself: filters in front and error pages read it then.
	 */
	static boolean bindsParameters(HttpServletRequest request) {
		if (request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) instanceof HandlerMethod handler) {
			for (MethodParameter parameter : handler.getMethodParameters()) {
				if (parameter.hasParameterAnnotation(RequestParam.class)
						|| parameter.hasParameterAnnotation(ModelAttribute.class)) {
					return true;
				}
				if (parameter.hasParameterAnnotation(RequestBody.class)
						|| HttpEntity.class.isAssignableFrom(parameter.getParameterType())) {
					return false;
				}
			}
		}
		return false;
	}

	/**
	 * The request without Spring's copies for logs until it is rewound: they are to
	 * contain what the handler method reads.
	 */
	HttpServletRequest withoutCopies(HttpServletRequest request) {
		HttpServletRequest outermost = request;
		while (isCopy(outermost)) {
			outermost = (HttpServletRequest) ((ServletRequestWrapper) outermost).getRequest();
		}
		ServletRequest next = outermost;
		while (next instanceof ServletRequestWrapper wrapper) {
			next = wrapper.getRequest();
			if (isCopy(next)) {
				this.leftOut.putIfAbsent(wrapper, next);
				wrapper.setRequest(((ServletRequestWrapper) next).getRequest());
				next = wrapper;
			}
		}
		return outermost;
	}

	private static boolean isCopy(ServletRequest request) {
		return request.getClass() == ContentCachingRequestWrapper.class;
	}

	void rewind() {
		this.leftOut.forEach(ServletRequestWrapper::setRequest);
		this.leftOut.clear();
		this.fields = null;
		if (this.form != null && this.form.length > 0) {
			keep(this.form, true);
		}
	}

	private Map<String, String[]> fields() {
		if (this.failure != null) {
			throw this.failure;
		}
		Map<String, String[]> known = this.fields;
		if (known == null) {
			known = readFields();
			this.fields = known;
		}
		return known;
	}

	/** Reads the form before the container does, which then finds no body to parse. */
	private Map<String, String[]> readFields() {
		if (this.form == null && !this.bindsParameters && isForm()) {
			this.form = readForm();
		}
		int others = parseRest();
		if (this.form == null || this.form.length == 0) {
			return Map.of();
		}
		keep(NOTHING, true);
		return this.parser.parse(original(), this.form, others);
	}

	/** Lets the container parse what was not read, and counts: after a form, a query. */
	private int parseRest() {
		try {
			int count = 0;
			for (String[] values : super.getParameterMap().values()) {
				count += values.length;
			}
			return count;
		}
		catch (RuntimeException ex) {
			// Tomcat throws once, and then returns what it has parsed.
			this.failure = ex;
			throw ex;
		}
	}

	private byte[] readForm() {
		try {
			byte[] read = (getContentLengthLong() <= this.limit)
					? read(super.getInputStream(), getContentLength(), this.limit) : null;
			if (read == null) {
				throw new SubmissionRefusedException(Refusal.BODY_TOO_LARGE, this.operation);
			}
			return read;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (IllegalStateException ex) {
			// A filter has the reader, so that the container does not parse the form.
			return NOTHING;
		}
	}

	@Override
	public ServletInputStream getInputStream() throws IOException {
		open();
		return super.getInputStream();
	}

	@Override
	public BufferedReader getReader() throws IOException {
		open();
		return super.getReader();
	}

	/** Leaves no parameters in a body that nobody has parsed before. */
	private void open() {
		if (this.fields == null) {
			this.fields = Map.of();
		}
	}

	@Override
	public @Nullable String getParameter(String name) {
		String[] values = getParameterValues(name);
		return (values != null) ? values[0] : null;
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		String[] values = fields().get(name);
		String[] others = super.getParameterValues(name);
		return (values != null) ? StringUtils.concatenateStringArrays(others, values) : others;
	}

	@Override
	public Enumeration<String> getParameterNames() {
		return Collections.enumeration(getParameterMap().keySet());
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		Map<String, String[]> values = fields();
		if (values.isEmpty()) {
			return super.getParameterMap();
		}
		Map<String, String[]> all = new LinkedHashMap<>(super.getParameterMap());
		values.keySet().forEach((name) -> all.put(name, Objects.requireNonNull(getParameterValues(name))));
		return Collections.unmodifiableMap(all);
	}

}
