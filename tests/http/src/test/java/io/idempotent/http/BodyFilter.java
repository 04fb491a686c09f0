package io.idempotent.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;

/**
 * Does with the body what the request's header asks for, one kind of filter each.
 */
final class BodyFilter extends OncePerRequestFilter {

	private final String header;

	BodyFilter(String header) {
		this.header = header;
	}

	@Override
	protected String getAlreadyFilteredAttributeName() {
		return this.header;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String kind = request.getHeader(this.header);
		chain.doFilter((kind != null) ? Kind.valueOf(kind).wrapping.wrap(request) : request, response);
	}

	/**
	 * A kind of filter. Those that take the body away say so.
	 */
	@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
	enum Kind {

		ORIGINAL((request) -> request),

		DELEGATING(HttpServletRequestWrapper::new),

		OPENS_THE_STREAM((request) -> {
			request.getInputStream();
			return request;
		}),

		ASKS_FOR_A_PARAMETER(BodyWrappers::asked),

		COPIES((request) -> BodyWrappers.copies(request, BodyWrappers.drain(request))),

		/** RuoYi's RepeatedlyRequestWrapper. */
		COPIES_OF_THE_READER((request) -> {
			byte[] body = BodyWrappers.utf8(BodyWrappers.text(request));
			return BodyWrappers.careless(request, body, false, body.length);
		}),

		ALWAYS_FINISHED((request) -> BodyWrappers.careless(request, BodyWrappers.drain(request), true, 0)),

		NEVER_FINISHED((request) -> BodyWrappers.careless(request, BodyWrappers.drain(request), false, 0)),

		TOO_MUCH_AVAILABLE((request) -> BodyWrappers.careless(request, BodyWrappers.drain(request), false, 1 << 20)),

		NEGATIVE_AVAILABLE((request) -> BodyWrappers.careless(request, BodyWrappers.drain(request), true, -1)),

		ONCE((request) -> BodyWrappers.once(request, BodyWrappers.drain(request))),

		ONCE_BY_THE_READER((request) -> BodyWrappers.once(request, BodyWrappers.utf8(BodyWrappers.text(request)))),

		FOR_STREAMS_ALONE((request) -> new BodyWrappers.StreamOnly(request, BodyWrappers.drain(request))),

		CONTENT_CACHING((request) -> new ContentCachingRequestWrapper(request, 0)),

		CACHED_BEFORE_COPIES((request) -> {
			HttpServletRequest cached = new ContentCachingRequestWrapper(request, 1000);
			return BodyWrappers.copies(cached, BodyWrappers.drain(cached));
		}),

		COPIES_BEFORE_CACHED((request) -> new ContentCachingRequestWrapper(
				BodyWrappers.copies(request, BodyWrappers.drain(request)), 1000)),

		LOGGED(BodyWrappers.Logging::new),

		LAZY((request) -> BodyWrappers.lazily(request, (in) -> in)),

		LAZY_EACH_TIME(
				(request) -> new BodyWrappers.Served(request, () -> new BodyWrappers.Stream(request.getInputStream()))),

		CAPTURED((request) -> {
			ServletInputStream captured = request.getInputStream();
			return new BodyWrappers.Served(request, () -> captured);
		}),

		DECODED((request) -> BodyWrappers.copies(request, Base64.getDecoder().decode(BodyWrappers.drain(request))),
				Base64.getEncoder()::encode),

		DECODED_LAZILY((request) -> BodyWrappers.lazily(request, Base64.getDecoder()::wrap),
				Base64.getEncoder()::encode),

		DECODED_EACH_TIME(
				(request) -> new BodyWrappers.Served(request,
						() -> new BodyWrappers.Stream(Base64.getDecoder().wrap(request.getInputStream()))),
				Base64.getEncoder()::encode),

		UNZIPPED(
				(request) -> BodyWrappers.copies(request,
						new GZIPInputStream(new ByteArrayInputStream(BodyWrappers.drain(request))).readAllBytes()),
				Kind::zipped),

		UNZIPPED_LAZILY((request) -> BodyWrappers.lazily(request, GZIPInputStream::new), Kind::zipped),

		UNZIPPED_EACH_TIME((request) -> new BodyWrappers.Served(request,
				() -> new BodyWrappers.Stream(new GZIPInputStream(request.getInputStream()))), Kind::zipped),

		TRIMMED((request) -> BodyWrappers.copies(request,
				BodyWrappers.utf8(new String(BodyWrappers.drain(request), StandardCharsets.UTF_8).trim())),
				(body) -> BodyWrappers.utf8("  " + new String(body, StandardCharsets.UTF_8) + "\n ")),

		OPENED((request) -> BodyWrappers.copies(request, BodyWrappers.opened(BodyWrappers.drain(request))),
				Kind::enveloped),

		OPENED_LAZILY((request) -> BodyWrappers.lazily(request,
				(in) -> new ByteArrayInputStream(BodyWrappers.opened(in.readAllBytes()))), Kind::enveloped),

		LENGTHENED((request) -> BodyWrappers.copies(request,
				BodyWrappers
					.utf8("{\"wrapped\":" + new String(BodyWrappers.drain(request), StandardCharsets.UTF_8) + "}"))),

		READ_AWAY(true, BodyWrappers::readAway),

		READ_AWAY_AND_WRAPPED(true, (request) -> {
			BodyWrappers.drain(request);
			return new HttpServletRequestWrapper(request);
		}),

		READ_AWAY_BY_THE_READER(true, (request) -> {
			BodyWrappers.text(request);
			return request;
		}),

		READ_AWAY_INTO_AN_ATTRIBUTE(true, (request) -> {
			request.setAttribute("body", BodyWrappers.drain(request));
			return request;
		}),

		READ_IN_PART(true, BodyWrappers::readInPart),

		FOR_READERS_ALONE(true, (request) -> new BodyWrappers.ReaderOnly(request, BodyWrappers.drain(request))),

		FORM_ORIGINAL((request) -> request),

		FORM_ASKED_FOR_A_PARAMETER(BodyWrappers::asked),

		FORM_CACHED((request) -> new ContentCachingRequestWrapper(request, 1000)),

		/** As filters against cross-site scripting do. */
		FORM_ESCAPED((request) -> new BodyWrappers.Parameters(request, request.getParameter("n") + " escaped")),

		FORM_COPIED((request) -> {
			byte[] body = BodyWrappers.drain(request);
			String n = new String(body, StandardCharsets.UTF_8).replaceAll("^n=|&.*", "");
			return new BodyWrappers.Parameters(BodyWrappers.copies(request, body), n);
		}),

		FORM_READ_AWAY(true, BodyWrappers::readAway),

		/** As most filters against cross-site scripting do: whenever somebody asks. */
		FORM_ESCAPED_LATER(BodyWrappers.EscapedParameters::new),

		PARTS_ORIGINAL((request) -> request),

		PARTS_ASKED_FOR_A_PARAMETER(BodyWrappers::asked),

		PARTS_CACHED((request) -> new ContentCachingRequestWrapper(request, 1000)),

		PARTS_COPIED((request) -> BodyWrappers.copies(request, BodyWrappers.drain(request))),

		PARTS_OF_A_WRAPPER((request) -> BodyWrappers.part(request, BodyWrappers.drain(request))),

		PARTS_READ_AWAY(true, BodyWrappers::readAway),

		PARTS_READ_IN_PART(true, BodyWrappers::readInPart),

		/** What a resolver makes that does not leave the parts to the container. */
		FILE_RESOLVED((request) -> BodyWrappers.file(request, BodyWrappers.drain(request))),

		EMPTIED(true, (request) -> BodyWrappers.copies(request, new byte[0]));

		private final boolean takesAway;

		private final Wrapping wrapping;

		private final UnaryOperator<byte[]> sending;

		Kind(Wrapping wrapping) {
			this(false, wrapping);
		}

		Kind(boolean takesAway, Wrapping wrapping) {
			this.takesAway = takesAway;
			this.wrapping = wrapping;
			this.sending = UnaryOperator.identity();
		}

		Kind(Wrapping wrapping, UnaryOperator<byte[]> sending) {
			this.takesAway = false;
			this.wrapping = wrapping;
			this.sending = sending;
		}

		boolean takesAway() {
			return this.takesAway;
		}

		boolean isForm() {
			return name().startsWith("FORM");
		}

		boolean isMultipart() {
			return name().startsWith("PARTS");
		}

		boolean isFile() {
			return name().startsWith("FILE");
		}

		/** Whether the handler may ask for the reader as well. */
		boolean hasReader() {
			return this != OPENS_THE_STREAM && this != FOR_STREAMS_ALONE && this != LOGGED;
		}

		/** What a client sends for the filter to make a body of. */
		byte[] sent(String body) {
			if (isMultipart()) {
				return BodyWrappers
					.utf8("--next\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n" + body + "\r\n--next--\r\n");
			}
			return this.sending.apply(BodyWrappers.utf8(body));
		}

		private static byte[] enveloped(byte[] body) {
			return BodyWrappers.utf8("nonce " + System.nanoTime() + "|" + new String(body, StandardCharsets.UTF_8));
		}

		private static byte[] zipped(byte[] body) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
				out.write(body);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return bytes.toByteArray();
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}

	}

	@FunctionalInterface
	private interface Wrapping {

		HttpServletRequest wrap(HttpServletRequest request) throws IOException;

	}

}
