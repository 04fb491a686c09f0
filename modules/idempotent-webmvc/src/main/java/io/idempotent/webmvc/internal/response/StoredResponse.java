package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.StringUtils;

/**
 * An HTTP response in the binary format of records: version, form, status, headers, body.
 * A header name may occur more than once. The body of an error is its message.
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredResponse(Form form, int status, List<Header> headers, byte[] body) {

	private static final int VERSION = 2;

	/** By their codes in the format, which never change. */
	private static final List<Form> FORMS = List.of(Form.BODY, Form.ERROR, Form.REDIRECT);

	/** Not sent: the encoding of an error page. No header can have this name. */
	private static final String ENCODING_OF_PAGE = ":encoding";

	private static final int MAX_SHORT = 0xffff;

	/** Version, form, status, number of headers. */
	private static final int HEAD = 2 + 2 * Short.BYTES;

	/** Per header: whether it replaces others, and two lengths. */
	private static final int HEADER = 1 + 2 * Short.BYTES;

	/** The response with an error page that the container renders. */
	static StoredResponse error(int status) {
		return new StoredResponse(Form.ERROR, status, List.of(), new byte[0]);
	}

	/** {@code null} if a repeat must not receive it. */
	static @Nullable StoredResponse of(BufferedResponse response, byte[] body, CallerSecrets secrets,
			Predicate<String> replayed) {
		int status = response.getStatus();
		if (isAboutRangeOrCondition(status) || !canHave(status)) {
			return null;
		}
		ContainerCall call = response.call();
		// A redirect without its location would lead elsewhere.
		List<Header> headers = headers(response, call, (call instanceof ContainerCall.SendRedirect)
				? replayed.or(HttpHeaders.LOCATION::equalsIgnoreCase) : replayed, secrets);
		if (headers == null || secrets.mayBeIn(body, response.getHeader(HttpHeaders.CONTENT_ENCODING))) {
			return null;
		}
		if (call instanceof ContainerCall.SendError error) {
			String message = (error.message() != null) ? error.message() : "";
			byte[] stored = message.getBytes(StandardCharsets.UTF_8);
			return secrets.mayBeIn(stored, null) ? null
					: new StoredResponse(Form.ERROR, error.status(), headers, stored);
		}
		return (call instanceof ContainerCall.SendRedirect redirect)
				? new StoredResponse(Form.REDIRECT, redirect.status(), headers, body)
				: new StoredResponse(Form.BODY, status, headers, body);
	}

	/** A repeat need not send the same range or condition. */
	private static boolean isAboutRangeOrCondition(int status) {
		return status == HttpServletResponse.SC_PARTIAL_CONTENT || status == HttpServletResponse.SC_NOT_MODIFIED
				|| status == HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE;
	}

	private static @Nullable List<Header> headers(BufferedResponse response, @Nullable ContainerCall call,
			Predicate<String> replayed, CallerSecrets secrets) {
		List<Header> headers = new ArrayList<>(4);
		String contentType = response.getContentType();
		if (contentType != null && !(call instanceof ContainerCall.SendError)) {
			if (secrets.areIn(contentType)) {
				return null;
			}
			headers.add(new Header(HttpHeaders.CONTENT_TYPE, contentType, true));
		}
		String encoding = response.encodingOfPage();
		if (encoding != null && call instanceof ContainerCall.SendError) {
			headers.add(new Header(ENCODING_OF_PAGE, encoding, true));
		}
		for (Header header : response.headers(endToEnd(replayed, response))) {
			String value = secrets.strip(header.value());
			if (secrets.areIn(value) || secrets.areIn(header.name())) {
				return null;
			}
			headers.add(new Header(header.name(), value, header.set()));
		}
		return headers;
	}

	/** A {@code Connection} header names others that are for the next hop only. */
	private static Predicate<String> endToEnd(Predicate<String> replayed, HttpServletResponse response) {
		if (!response.containsHeader(HttpHeaders.CONNECTION)) {
			return replayed;
		}
		Set<String> hopByHop = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		for (String names : response.getHeaders(HttpHeaders.CONNECTION)) {
			hopByHop.addAll(List.of(StringUtils.tokenizeToStringArray(names, ",")));
		}
		return (name) -> replayed.test(name) && !hopByHop.contains(name);
	}

	/** The media type of the body, or {@code null} if it was not stored. */
	public @Nullable String contentType() {
		return header(HttpHeaders.CONTENT_TYPE);
	}

	private @Nullable String header(String name) {
		return this.headers.stream()
			.filter((header) -> header.name().equalsIgnoreCase(name))
			.map(Header::value)
			.findFirst()
			.orElse(null);
	}

	public void writeTo(HttpServletResponse response, String replayedHeader, boolean head) throws IOException {
		response.setStatus(this.status);
		this.headers.forEach((header) -> write(header, response));
		response.setHeader(replayedHeader, "true");
		if (this.form == Form.ERROR) {
			String message = new String(this.body, StandardCharsets.UTF_8);
			new ContainerCall.SendError(this.status, message.isEmpty() ? null : message).send(response);
			return;
		}
		if (this.form == Form.BODY && this.body.length > 0) {
			response.setContentLength(this.body.length);
		}
		if (this.body.length > 0) {
			response.getOutputStream().write(this.body);
		}
		if (this.form == Form.BODY && this.body.length == 0) {
			endWithoutBody(response, head);
		}
		if (this.form == Form.REDIRECT) {
			new ContainerCall.SendRedirect(this.status, Objects.requireNonNullElse(header(HttpHeaders.LOCATION), ""),
					this.body.length == 0)
				.send(response);
		}
	}

	/**
	 * Sends the response at once, as a container does when a body is complete: what
	 * filters add afterwards is part of the stored response and must not be added again.
	 */
	private void endWithoutBody(HttpServletResponse response, boolean head) throws IOException {
		if (!head && this.status != HttpServletResponse.SC_NO_CONTENT
				&& this.status != HttpServletResponse.SC_RESET_CONTENT) {
			response.setContentLength(0);
		}
		response.flushBuffer();
	}

	private static void write(Header header, HttpServletResponse response) {
		if (header.name().equals(HttpHeaders.CONTENT_TYPE)) {
			response.setContentType(header.value());
		}
		else if (header.name().equals(ENCODING_OF_PAGE)) {
			response.setCharacterEncoding(header.value());
		}
		else if (header.set()) {
			// Replaces what a filter may have set before.
			response.setHeader(header.name(), header.value());
		}
		else {
			response.addHeader(header.name(), header.value());
		}
	}

	/** Throws {@link IllegalArgumentException} if a header is too long. */
	public byte[] encode() {
		byte[][] texts = new byte[2 * this.headers.size()][];
		int size = HEAD + this.headers.size() * HEADER + this.body.length;
		for (int i = 0; i < texts.length; i++) {
			Header header = this.headers.get(i / 2);
			texts[i] = ((i % 2 == 0) ? header.name() : header.value()).getBytes(StandardCharsets.UTF_8);
			size += texts[i].length;
		}
		ByteBuffer out = ByteBuffer.allocate(size).put((byte) VERSION).put((byte) FORMS.indexOf(this.form));
		putShort(out, this.status);
		putShort(out, this.headers.size());
		for (int i = 0; i < texts.length; i++) {
			if (i % 2 == 0) {
				out.put((byte) (this.headers.get(i / 2).set() ? 1 : 0));
			}
			putShort(out, texts[i].length);
			out.put(texts[i]);
		}
		return out.put(this.body).array();
	}

	private static void putShort(ByteBuffer out, int value) {
		if (value > MAX_SHORT) {
			throw new IllegalArgumentException("A response cannot be stored: the length or number of its headers is "
					+ value + ", but at most " + MAX_SHORT + " fits the format");
		}
		out.putShort((short) value);
	}

	/** Its status, as {@link #decode} reads it; 0 if there is none. */
	public static int status(byte[] bytes) {
		return (bytes.length >= HEAD) ? ByteBuffer.wrap(bytes).getShort(2) & MAX_SHORT : 0;
	}

	/** Throws {@link IllegalArgumentException} for another version or corrupt bytes. */
	public static StoredResponse decode(byte[] bytes) {
		ByteBuffer in = ByteBuffer.wrap(bytes);
		try {
			int version = in.get() & 0xff;
			if (version != VERSION) {
				throw new IllegalArgumentException(
						"A stored response has format version " + version + ", but this node reads only version "
								+ VERSION + ": it was written by another version of this library");
			}
			int code = in.get();
			Form form = (code >= 0 && code < FORMS.size()) ? FORMS.get(code) : null;
			int status = in.getShort() & MAX_SHORT;
			if (form == null || !canHave(status)) {
				throw new IllegalArgumentException(
						"A stored response is corrupt: its form is " + form + " and its status " + status);
			}
			int count = in.getShort() & MAX_SHORT;
			List<Header> headers = new ArrayList<>(Math.min(count, 16));
			for (int i = 0; i < count; i++) {
				boolean set = in.get() != 0;
				headers.add(new Header(text(bytes, in), text(bytes, in), set));
			}
			return new StoredResponse(form, status, headers, Arrays.copyOfRange(bytes, in.position(), bytes.length));
		}
		catch (BufferUnderflowException ex) {
			throw new IllegalArgumentException(
					"A stored response is corrupt: it ends after " + bytes.length + " bytes, within its headers", ex);
		}
	}

	static boolean canHave(int status) {
		return status >= 200 && status <= 599;
	}

	private static String text(byte[] bytes, ByteBuffer in) {
		int length = in.getShort() & MAX_SHORT;
		if (length > in.remaining()) {
			throw new BufferUnderflowException();
		}
		String text = new String(bytes, in.position(), length, StandardCharsets.UTF_8);
		in.position(in.position() + length);
		return text;
	}

	/** How a response ended. */
	public enum Form {

		/** With its body. */
		BODY,

		/** With {@code sendError}: the container renders a page. */
		ERROR,

		/** With {@code sendRedirect}: the container may complete the location. */
		REDIRECT

	}

	/** {@code set} if it replaced earlier values, instead of being added to them. */
	record Header(String name, String value, boolean set) {
	}

}
