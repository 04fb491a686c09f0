package io.idempotent.webmvc;

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
 * Notes the headers that an operation gives to its answer, as long as it is not
 * committed.
 */
abstract class HeaderRecorder extends HttpServletResponseWrapper {

	/** The length of a body of which none was declared. */
	static final long UNKNOWN = -1;

	private static final Pattern CHARSET = Pattern.compile(";\\s*charset\\s*=[^;]*", Pattern.CASE_INSENSITIVE);

	private final OperationHeaders said = new OperationHeaders();

	private long declaredLength = UNKNOWN;

	HeaderRecorder(HttpServletResponse original) {
		super(original);
	}

	/**
	 * Whether there is a writer, which has its encoding for good.
	 * @return whether there is
	 */
	abstract boolean hasWriter();

	long declaredLength() {
		return this.declaredLength;
	}

	void forgetHeaders() {
		this.said.clear();
		this.declaredLength = UNKNOWN;
	}

	/**
	 * The headers that were given while the answer was held.
	 * @param names which names are wanted
	 * @return the header lines
	 */
	List<OperationHeaders.Header> headers(Predicate<String> names) {
		return this.said.lines(names);
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
			this.said.set(name, value);
		}
		else {
			this.said.remove(name);
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
			this.said.add(name, value);
		}
	}

	@Override
	public void setDateHeader(String name, long date) {
		if (!isCommitted()) {
			super.setDateHeader(name, date);
			String formatted = getHeader(name);
			if (formatted != null) {
				this.said.set(name, formatted);
			}
		}
	}

	@Override
	public void addDateHeader(String name, long date) {
		if (!isCommitted()) {
			super.addDateHeader(name, date);
			getHeaders(name).stream()
				.reduce((first, second) -> second)
				.ifPresent((formatted) -> this.said.add(name, formatted));
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
			// A writer has its encoding already.
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
	 * A container may keep the language to itself until it commits, and then prefers it
	 * to any header.
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
			this.said.unpin(HttpHeaders.CONTENT_LANGUAGE);
			String language = getHeader(HttpHeaders.CONTENT_LANGUAGE);
			this.said.set(HttpHeaders.CONTENT_LANGUAGE, (language != null) ? language : locale.toLanguageTag());
			if (language == null) {
				this.said.pin(HttpHeaders.CONTENT_LANGUAGE);
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
