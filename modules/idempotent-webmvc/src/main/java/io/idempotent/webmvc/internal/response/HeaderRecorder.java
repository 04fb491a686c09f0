package io.idempotent.webmvc.internal.response;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.webmvc.internal.response.StoredResponse.Header;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Records the headers that an operation sets until the response is committed; not those
 * of filters in front of it, which set them on a replay as well.
 */
abstract class HeaderRecorder extends HttpServletResponseWrapper {

	/** The declared length of a body that declares none. */
	static final long UNKNOWN = -1;

	private static final String CONTENT_LANGUAGE = "content-language";

	private static final String CONTENT_LENGTH = "content-length";

	/** Length and type of a body, and cookies, as the container's of a new session. */
	private static final Set<String> NOT_PUT_BACK = Set.of(CONTENT_LENGTH, "content-type", "set-cookie");

	private static final Pattern CHARSET = Pattern.compile(";\\s*charset\\s*=[^;]*", Pattern.CASE_INSENSITIVE);

	/** By their names in lower case. */
	private final Map<String, List<Header>> recorded = new LinkedHashMap<>();

	/** The values from before the first change, by the names in lower case. */
	private final Map<String, List<String>> earlier = new LinkedHashMap<>();

	/** The container sets Content-Language when it commits: later values are ignored. */
	private boolean languagePinned;

	HeaderRecorder(HttpServletResponse original) {
		super(original);
	}

	/** Whether a writer was obtained: its encoding no longer changes. */
	abstract boolean hasWriter();

	/** Whether it is too late for headers. */
	abstract boolean ignoresHeaders();

	long declaredLength() {
		List<Header> lengths = this.recorded.get(CONTENT_LENGTH);
		try {
			return (lengths != null) ? Long.parseLong(lengths.get(lengths.size() - 1).value()) : UNKNOWN;
		}
		catch (NumberFormatException ex) {
			return UNKNOWN;
		}
	}

	/** Puts back the headers from before the response was held back. Cookies stay. */
	void removeHeaders() {
		this.earlier.keySet().removeAll(NOT_PUT_BACK);
		this.earlier.keySet().forEach((name) -> super.setHeader(name, null));
		super.setContentLengthLong(UNKNOWN);
		if (getContentType() != null) {
			super.setContentType(null);
		}
		if (this.earlier.keySet().stream().anyMatch(this::containsHeader)) {
			resetExceptOthers();
		}
		this.earlier.forEach((name, values) -> values.forEach((value) -> super.addHeader(name, value)));
		forgetHeaders();
	}

	/** Before Servlet 6.1, containers ignore {@code null} and remove all or none. */
	private void resetExceptOthers() {
		Map<String, List<String>> others = new LinkedHashMap<>();
		getHeaderNames().stream()
			.filter((name) -> !this.earlier.containsKey(key(name)))
			.forEach((name) -> others.put(name, List.copyOf(getHeaders(name))));
		int status = getStatus();
		super.reset();
		super.setStatus(status);
		others.forEach((name, values) -> values.forEach((value) -> super.addHeader(name, value)));
	}

	void forgetHeaders() {
		this.recorded.clear();
		this.earlier.clear();
		this.languagePinned = false;
	}

	List<Header> headers(Predicate<String> names) {
		List<Header> headers = new ArrayList<>(this.recorded.size() + 1);
		this.recorded.forEach((name, values) -> {
			if (names.test(name)) {
				headers.addAll(values);
			}
		});
		return headers;
	}

	private void noteEarlier(String name) {
		this.earlier.computeIfAbsent(key(name), (first) -> List.copyOf(getHeaders(name)));
	}

	private void record(String name, String value, boolean set) {
		String key = key(name);
		if (this.languagePinned && key.equals(CONTENT_LANGUAGE)) {
			return;
		}
		List<Header> values = this.recorded.computeIfAbsent(key, (first) -> new ArrayList<>(1));
		if (set) {
			values.clear();
		}
		values.add(new Header(name, value, set));
	}

	private static String key(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

	@Override
	public void addCookie(Cookie cookie) {
		if (!ignoresHeaders()) {
			super.addCookie(cookie);
		}
	}

	@Override
	public void setStatus(int status) {
		if (!isCommitted()) {
			super.setStatus(status);
		}
	}

	@Override
	public void setHeader(String name, @Nullable String value) {
		if (ignoresHeaders() || setsContentType(name, value)) {
			return;
		}
		noteEarlier(name);
		super.setHeader(name, value);
		if (value != null) {
			record(name, value, true);
		}
		else if (!containsHeader(name)) {
			this.recorded.remove(key(name));
		}
	}

	@Override
	public void addHeader(String name, @Nullable String value) {
		if (ignoresHeaders() || setsContentType(name, value)) {
			return;
		}
		noteEarlier(name);
		super.addHeader(name, value);
		if (value != null) {
			record(name, value, false);
		}
	}

	private boolean setsContentType(String name, @Nullable String value) {
		boolean sets = name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE) && value != null;
		if (sets) {
			setContentType(value);
		}
		return sets;
	}

	@Override
	public void setDateHeader(String name, long date) {
		if (!ignoresHeaders()) {
			noteEarlier(name);
			super.setDateHeader(name, date);
			recordLast(name, true);
		}
	}

	@Override
	public void addDateHeader(String name, long date) {
		if (!ignoresHeaders()) {
			noteEarlier(name);
			super.addDateHeader(name, date);
			recordLast(name, false);
		}
	}

	/** As the container has formatted it. */
	private void recordLast(String name, boolean set) {
		getHeaders(name).stream()
			.reduce((first, second) -> second)
			.ifPresent((formatted) -> record(name, formatted, set));
	}

	@Override
	public void setIntHeader(String name, int value) {
		setHeader(name, Integer.toString(value));
	}

	@Override
	public void addIntHeader(String name, int value) {
		addHeader(name, Integer.toString(value));
	}

	@Override
	public void setContentLength(int length) {
		setContentLengthLong(length);
	}

	@Override
	public void setContentLengthLong(long length) {
		if (!isCommitted()) {
			super.setContentLengthLong(length);
			record(HttpHeaders.CONTENT_LENGTH, Long.toString(length), true);
		}
	}

	@Override
	public void setContentType(@Nullable String type) {
		if (!isCommitted()) {
			// The encoding of a writer no longer changes.
			super.setContentType((type != null && hasWriter() && !hasCharset(type, getCharacterEncoding()))
					? CHARSET.matcher(type).replaceAll("") : type);
		}
	}

	/** Whether a type names this encoding, which is any for an empty one. */
	static boolean hasCharset(String type, String encoding) {
		Matcher charset = CHARSET.matcher(type);
		return charset.find() && charset.group()
			.replace("\"", "")
			.toLowerCase(Locale.ROOT)
			.endsWith(encoding.toLowerCase(Locale.ROOT));
	}

	@Override
	public void setCharacterEncoding(@Nullable String encoding) {
		if (!hasWriter() && !isCommitted()) {
			super.setCharacterEncoding(encoding);
		}
	}

	/** A container may replace Content-Language by the locale only when it commits. */
	@Override
	public void setLocale(@Nullable Locale locale) {
		if (isCommitted()) {
			return;
		}
		String encoding = hasWriter() ? getCharacterEncoding() : null;
		noteEarlier(HttpHeaders.CONTENT_LANGUAGE);
		super.setLocale(locale);
		if (encoding != null) {
			super.setCharacterEncoding(encoding);
		}
		if (locale != null) {
			this.languagePinned = false;
			String language = getHeader(HttpHeaders.CONTENT_LANGUAGE);
			record(HttpHeaders.CONTENT_LANGUAGE, (language != null) ? language : locale.toLanguageTag(), true);
			this.languagePinned = language == null;
		}
	}

}
