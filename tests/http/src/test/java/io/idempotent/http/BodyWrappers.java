package io.idempotent.http;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;

import org.springframework.mock.web.MockMultipartFile;
import org.springframework.mock.web.MockPart;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.support.DefaultMultipartHttpServletRequest;

/**
 * Requests and streams as filters of applications make them, the careless ones included.
 */
@SuppressWarnings("InputStreamSlowMultibyteRead") // as careless as those of others
final class BodyWrappers {

	private BodyWrappers() {
	}

	static byte[] drain(HttpServletRequest request) throws IOException {
		return request.getInputStream().readAllBytes();
	}

	static String text(HttpServletRequest request) throws IOException {
		return request.getReader().lines().collect(Collectors.joining());
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static HttpServletRequest readAway(HttpServletRequest request) throws IOException {
		drain(request);
		return request;
	}

	static HttpServletRequest readInPart(HttpServletRequest request) throws IOException {
		request.getInputStream().readNBytes(10);
		return request;
	}

	static HttpServletRequest asked(HttpServletRequest request) {
		request.getParameter("n");
		return request;
	}

	/** Serves a copy with each call. */
	static HttpServletRequest copies(HttpServletRequest request, byte[] body) {
		return new Served(request, () -> new Stream(new ByteArrayInputStream(body)));
	}

	/** Serves a body once. */
	static HttpServletRequest once(HttpServletRequest request, byte[] body) {
		Stream stream = new Stream(new ByteArrayInputStream(body));
		return new Served(request, () -> stream);
	}

	/** Changes the stream when it is first asked for, and keeps it. */
	static HttpServletRequest lazily(HttpServletRequest request, Change change) {
		ServletInputStream[] stream = new ServletInputStream[1];
		return new Served(request, () -> {
			if (stream[0] == null) {
				stream[0] = new Stream(change.apply(request.getInputStream()));
			}
			return stream[0];
		});
	}

	static HttpServletRequest careless(HttpServletRequest request, byte[] body, boolean finished, int available) {
		return new Served(request, () -> new Careless(body, finished, available));
	}

	/** The value of {@code data} in an envelope of one line. */
	static byte[] opened(byte[] envelope) {
		String text = new String(envelope, StandardCharsets.UTF_8);
		return utf8(text.substring(text.indexOf('|') + 1));
	}

	static HttpServletRequest file(HttpServletRequest request, byte[] content) {
		MultiValueMap<String, MultipartFile> files = new LinkedMultiValueMap<>();
		files.add("file", new MockMultipartFile("file", "a.txt", "text/plain", content));
		return new DefaultMultipartHttpServletRequest(request, files, Map.of(), Map.of());
	}

	/** Finds the parts itself. */
	static HttpServletRequest part(HttpServletRequest request, byte[] body) {
		String content = new String(body, StandardCharsets.UTF_8).replaceAll("(?s)^.*\r\n\r\n|\r\n--.*$", "");
		List<Part> parts = List.of(new MockPart("n", utf8(content)));
		return new HttpServletRequestWrapper(request) {

			@Override
			public Collection<Part> getParts() {
				return parts;
			}

			@Override
			public Part getPart(String name) {
				return parts.get(0);
			}

		};
	}

	@FunctionalInterface
	interface Source {

		ServletInputStream open() throws IOException;

	}

	@FunctionalInterface
	interface Change {

		InputStream apply(InputStream in) throws IOException;

	}

	static class Served extends HttpServletRequestWrapper {

		private final Source source;

		Served(HttpServletRequest request, Source source) {
			super(request);
			this.source = source;
		}

		@Override
		public ServletInputStream getInputStream() throws IOException {
			return this.source.open();
		}

		@Override
		public BufferedReader getReader() throws IOException {
			return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
		}

	}

	/** Has the body for readers alone. */
	static final class ReaderOnly extends HttpServletRequestWrapper {

		private final byte[] body;

		ReaderOnly(HttpServletRequest request, byte[] body) {
			super(request);
			this.body = body;
		}

		@Override
		public BufferedReader getReader() {
			return new BufferedReader(
					new InputStreamReader(new ByteArrayInputStream(this.body), StandardCharsets.UTF_8));
		}

	}

	/** Has the body for streams alone. */
	static final class StreamOnly extends HttpServletRequestWrapper {

		private final byte[] body;

		StreamOnly(HttpServletRequest request, byte[] body) {
			super(request);
			this.body = body;
		}

		@Override
		public ServletInputStream getInputStream() {
			return new Stream(new ByteArrayInputStream(this.body));
		}

	}

	/** Has a parameter {@code n} of its own. */
	static final class Parameters extends HttpServletRequestWrapper {

		private final String value;

		Parameters(HttpServletRequest request, String value) {
			super(request);
			this.value = value;
		}

		@Override
		public String getParameter(String name) {
			return this.value;
		}

		@Override
		public String[] getParameterValues(String name) {
			return new String[] { this.value };
		}

		@Override
		public Map<String, String[]> getParameterMap() {
			return Map.of("n", new String[] { this.value });
		}

	}

	/** Escapes each parameter when somebody asks for it. */
	static final class EscapedParameters extends HttpServletRequestWrapper {

		EscapedParameters(HttpServletRequest request) {
			super(request);
		}

		@Override
		public String getParameter(String name) {
			String[] values = getParameterValues(name);
			return (values != null) ? values[0] : null;
		}

		@Override
		public String[] getParameterValues(String name) {
			String[] values = super.getParameterValues(name);
			return (values != null) ? Arrays.stream(values).map((value) -> value + " escaped").toArray(String[]::new)
					: null;
		}

		@Override
		public Map<String, String[]> getParameterMap() {
			return Collections.list(getParameterNames())
				.stream()
				.collect(Collectors.toMap((name) -> name, this::getParameterValues));
		}

	}

	/** Copies what is read, for a log, and shows it in a header of the response. */
	static final class Logging extends HttpServletRequestWrapper {

		private final ByteArrayOutputStream copy = new ByteArrayOutputStream();

		Logging(HttpServletRequest request) {
			super(request);
		}

		@Override
		public ServletInputStream getInputStream() throws IOException {
			return new Stream(getRequest().getInputStream()) {

				@Override
				public int read() throws IOException {
					int next = super.read();
					if (next >= 0) {
						Logging.this.copy.write(next);
					}
					return next;
				}

			};
		}

		int logged() {
			return this.copy.size();
		}

	}

	static class Stream extends ServletInputStream {

		private final InputStream in;

		private boolean finished;

		Stream(InputStream in) {
			this.in = in;
		}

		@Override
		public int read() throws IOException {
			int next = this.in.read();
			this.finished = next < 0;
			return next;
		}

		@Override
		public boolean isFinished() {
			return this.finished;
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setReadListener(ReadListener listener) {
			throw new UnsupportedOperationException();
		}

	}

	/** As in many tutorials: what nobody calls returns what the IDE has proposed. */
	static final class Careless extends ServletInputStream {

		private final ByteArrayInputStream in;

		private final boolean finished;

		private final int available;

		Careless(byte[] body, boolean finished, int available) {
			this.in = new ByteArrayInputStream(Arrays.copyOf(body, body.length));
			this.finished = finished;
			this.available = available;
		}

		@Override
		public int read() {
			return this.in.read();
		}

		@Override
		public int available() {
			return this.available;
		}

		@Override
		public boolean isFinished() {
			return this.finished;
		}

		@Override
		public boolean isReady() {
			return false;
		}

		@Override
		public void setReadListener(ReadListener listener) {
		}

	}

}
