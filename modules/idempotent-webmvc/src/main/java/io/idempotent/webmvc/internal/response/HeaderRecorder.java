package io.idempotent.webmvc.internal.response;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Records the headers that an operation sets on its response until it is committed.
 */
abstract class HeaderRecorder extends HttpServletResponseWrapper {

	/** The declared length of a body that declares none. */
	static final long UNKNOWN = -1;

	private static final Pattern CHARSET = Pattern.compile(";\\s*charset\\s*=[^;]*", Pattern.CASE_INSENSITIVE);

	private final OperationHeaders recorded = new OperationHeaders();

	private long declaredLength = UNKNOWN;

	HeaderRecorder(HttpServletResponse original) {
		super(original);
	}

	/**
	 * Whether a writer was obtained: its encoding no longer changes.
	 */
	abstract boolean hasWriter();

	long declaredLength() {
		return this.declaredLength;
	}

	/** Removes what was set while the response was held back. */
	void removeHeaders() {
		this.recorded.lines((name) -> true).forEach((header) -> super.setHeader(header.name(), null));
		super.setContentType(null);
		super.setContentLengthLong(UNKNOWN);
		forgetHeaders();
	}

	void forgetHeaders() {
		this.recorded.clear();
		this.declaredLength = UNKNOWN;
	}

	/**
	 * The headers that were set while the response was held back.
	 * @param names which names to include
	 */
	List<OperationHeaders.Header> headers(Predicate<String> names) {
		return this.recorded.lines(names);
	}

	@Override
	public void addCookie(Cookie cookie) {
		if (!isCommitted()) {
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
		if (isCommitted()) {
			return;
		}
		if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE) && value != null) {
			setContentType(value);
			return;
		}
		super.setHeader(name, value);
		noteLength(name, value);
		if (value != null) {
			this.recorded.set(name, value);
		}
		else {
			this.recorded.remove(name);
		}
	}

	@Override
	public void addHeader(String name, @Nullable String value) {
		if (isCommitted()) {
			return;
		}
		if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE) && value != null) {
			setContentType(value);
			return;
		}
		super.addHeader(name, value);
		noteLength(name, value);
		if (value != null) {
			this.recorded.add(name, value);
		}
	}

	@Override
	public void setDateHeader(String name, long date) {
		if (!isCommitted()) {
			super.setDateHeader(name, date);
			String formatted = getHeader(name);
			if (formatted != null) {
				this.recorded.set(name, formatted);
			}
		}
	}

	@Override
	public void addDateHeader(String name, long date) {
		if (!isCommitted()) {
			super.addDateHeader(name, date);
			getHeaders(name).stream()
				.reduce((first, second) -> second)
				.ifPresent((formatted) -> this.recorded.add(name, formatted));
		}
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
			this.declaredLength = length;
		}
	}

	@Override
	public void setContentType(@Nullable String type) {
		if (!isCommitted()) {
			// The encoding of a writer no longer changes.
			super.setContentType((type != null && hasWriter()) ? CHARSET.matcher(type).replaceAll("") : type);
		}
	}

	@Override
	public void setCharacterEncoding(@Nullable String encoding) {
		if (!hasWriter() && !isCommitted()) {
			super.setCharacterEncoding(encoding);
		}
	}

	/**
	 * A container may apply the locale only when it commits, and then replaces the header
	 * Content-Language.
	 */
	@Override
	public void setLocale(@Nullable Locale locale) {
		if (isCommitted()) {
			return;
		}
		String encoding = hasWriter() ? getCharacterEncoding() : null;
		super.setLocale(locale);
		if (encoding != null) {
			super.setCharacterEncoding(encoding);
		}
		if (locale != null) {
			this.recorded.unpin(HttpHeaders.CONTENT_LANGUAGE);
			String language = getHeader(HttpHeaders.CONTENT_LANGUAGE);
			this.recorded.set(HttpHeaders.CONTENT_LANGUAGE, (language != null) ? language : locale.toLanguageTag());
			if (language == null) {
				this.recorded.pin(HttpHeaders.CONTENT_LANGUAGE);
			}
		}
	}

	private void noteLength(String name, @Nullable String value) {
		if (name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH) && value != null) {
			try {
				this.declaredLength = Long.parseLong(value);
			}
			catch (NumberFormatException ex) {
				this.declaredLength = UNKNOWN;
			}
		}
	}

}
