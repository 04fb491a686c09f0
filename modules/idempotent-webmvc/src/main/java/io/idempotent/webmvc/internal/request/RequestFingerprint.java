package io.idempotent.webmvc.internal.request;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.IdempotencyProfile.NumberComparison;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.json.JsonCanonicalizer;
import io.idempotent.store.Fingerprint;
import io.idempotent.support.Digest;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.response.CsrfTokens;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.exc.StreamConstraintsException;

import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.lang.Contract;

/**
 * Computes the fingerprint of operation, method, matched path, API version, sorted query
 * and content: JSON in canonical form whatever its charset, a form as its sorted
 * parameters, a multipart request as its parts sorted by name, other content as bytes.
 * Form tokens, CSRF tokens and fields that the operation ignores do not count.
 */
public final class RequestFingerprint {

	private static final Log logger = LogFactory.getLog(RequestFingerprint.class);

	/** How many values, names and brackets a JSON body may have. */
	private static final int MAX_TOKENS = 200_000;

	private final HttpSettings settings;

	private final JsonCanonicalizer json;

	/** The operations of which one refused submission was logged. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	public RequestFingerprint(HttpSettings settings) {
		this(settings, MAX_TOKENS);
	}

	public RequestFingerprint(HttpSettings settings, long maxTokens) {
		this.settings = settings;
		this.json = new JsonCanonicalizer(maxTokens,
				settings.protocol().numberComparison() == NumberComparison.BY_VALUE);
	}

	/** Reads the body if needed, and refuses one that is too large. */
	public Fingerprint of(HttpServletRequest request, CachedBodyRequest cachedRequest, Operation operation)
			throws IOException, ServletException {
		List<String> path = MatchedPath.parts(request);
		Digest.Builder digest = Digest.sha256()
			.add(operation.name())
			.add(request.getMethod())
			.add(Integer.toString(path.size()));
		path.forEach(digest::add);
		ApiVersion.addTo(digest, request);
		MediaType type = contentType(request.getContentType());
		CountedFields fields = new CountedFields(() -> CsrfTokens.parameterOf(request), operation.fields(),
				this.settings.tokenParameter());
		String query = request.getQueryString();
		fields.addQuery(digest, query);
		MultipartContent parts = MultipartContent.of(request, cachedRequest, type,
				operation.source() == KeySource.CONTENT);
		boolean form = isForm(type);
		Map<String, String[]> parameters = form ? parameters(request, cachedRequest) : parameters(request, parts);
		fields.addForm(digest, parameters, query);
		if (parts != null) {
			parts.addTo(digest, fields);
		}
		else if (form) {
			// The bytes that the container has not parsed (PUT without a form filter), or
			// that a filter serves again.
			boolean parsed = cachedRequest.isFormOfContainer()
					|| CountedFields.areInBody(parameters, query, (name) -> true);
			byte[] bytes = cachedRequest.form();
			if (bytes == null || bytes.length == 0) {
				bytes = body(request, cachedRequest, operation, parsed);
			}
			else if (parsed && !isJson(bytes)) {
				bytes = new byte[0];
			}
			digest.add("bytes").add(fields.withoutIgnored(bytes));
		}
		else {
			addBody(digest, body(request, cachedRequest, operation, false), type, operation);
		}
		return new Fingerprint(digest.build());
	}

	/** Sent without its content type, which curl does: as parameters, "+" is a space. */
	private static boolean isJson(byte[] form) {
		return form[0] == '{' || form[0] == '[';
	}

	private static boolean isForm(@Nullable MediaType type) {
		return MediaType.APPLICATION_FORM_URLENCODED.equalsTypeAndSubtype(type);
	}

	/**
	 * Without a form: the parameters of the query, and others that a handler method can
	 * read, since a forward keeps those of the first query and a filter may add its own.
	 * If the container cannot read them, the handler method cannot either. Parts contain
	 * all parameters; if a wrapper has parsed them, the container must not.
	 */
	private static Map<String, String[]> parameters(HttpServletRequest request, @Nullable MultipartContent parts) {
		if (parts != null && parts.resolved() == null
				&& request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI) == null) {
			return Map.of();
		}
		try {
			return request.getParameterMap();
		}
		catch (RuntimeException ex) {
			return Map.of();
		}
	}

	/** Of a form; none if the container cannot parse it, so that its bytes count. */
	private static Map<String, String[]> parameters(HttpServletRequest request, CachedBodyRequest cachedRequest) {
		try {
			return request.getParameterMap();
		}
		catch (RuntimeException ex) {
			if (cachedRequest.form() == null) {
				throw ex;
			}
			return Map.of();
		}
	}

	private byte[] body(HttpServletRequest request, CachedBodyRequest cachedRequest, Operation operation,
			boolean parsed) throws IOException {
		CachedBodyRequest.ReadBody body = cachedRequest.readBody(request, this.settings.maxRequestBody());
		if (body == null) {
			throw new SubmissionRefusedException(Refusal.BODY_TOO_LARGE, operation.name());
		}
		if (body.incomplete() && !parsed) {
			logIncomplete(request, operation, body.bytes().length);
			throw new SubmissionRefusedException(Refusal.BODY_UNREADABLE, operation.name());
		}
		return body.bytes();
	}

	/** The first time as a warning, then at DEBUG, since clients may cause it. */
	private void logIncomplete(HttpServletRequest request, Operation operation, int left) {
		boolean first = this.warned.add(operation.name());
		if (first || logger.isDebugEnabled()) {
			String message = "Operation '" + operation.name() + "' refused a submission, because " + left + " of "
					+ request.getContentLengthLong()
					+ " bytes of its body are left: a filter has read it, or it is multipart without a part that has a name "
					+ "(requests, outermost first: " + wrappers(request) + "). Let a filter pass on a wrapper whose "
					+ "getInputStream() and getReader() return the body again";
			if (first) {
				logger.warn(message + ". Further ones of the operation are logged at DEBUG");
			}
			else {
				logger.debug(message);
			}
		}
	}

	private static String wrappers(HttpServletRequest request) {
		return Stream
			.<ServletRequest>iterate(request, Objects::nonNull,
					(wrapper) -> (wrapper instanceof ServletRequestWrapper below) ? below.getRequest() : null)
			.map((wrapper) -> wrapper.getClass().getName())
			.collect(Collectors.joining(", "));
	}

	private void addBody(Digest.Builder digest, byte[] body, @Nullable MediaType type, Operation operation) {
		String canonical = isJson(type) ? canonical(inUtf8(body, type.getCharset()), operation) : null;
		if (canonical != null) {
			digest.add("json").add(canonical);
		}
		else {
			digest.add("bytes").add(body);
		}
	}

	private @Nullable String canonical(byte[] body, Operation operation) {
		try {
			return this.json.canonicalize(body, operation.fields()::counts);
		}
		catch (StreamConstraintsException ex) {
			throw new SubmissionRefusedException(Refusal.BODY_TOO_LARGE, operation.name());
		}
	}

	/** Ignores the parameters if one of them is malformed. */
	private static @Nullable MediaType contentType(@Nullable String text) {
		if (text == null) {
			return null;
		}
		MediaType type = parse(text);
		int parameters = text.indexOf(';');
		return (type == null && parameters >= 0) ? parse(text.substring(0, parameters)) : type;
	}

	private static @Nullable MediaType parse(String type) {
		try {
			return MediaType.parseMediaType(type);
		}
		catch (InvalidMediaTypeException ex) {
			return null;
		}
	}

	@Contract("null -> false")
	private static boolean isJson(@Nullable MediaType type) {
		return type != null
				&& (MediaType.APPLICATION_JSON.equalsTypeAndSubtype(type) || type.getSubtype().endsWith("+json"));
	}

	/** As Spring's JSON converter: reads US-ASCII as UTF-8. */
	private static byte[] inUtf8(byte[] json, @Nullable Charset charset) {
		return (charset == null || charset.equals(StandardCharsets.UTF_8) || charset.equals(StandardCharsets.US_ASCII))
				? json : new String(json, charset).getBytes(StandardCharsets.UTF_8);
	}

}
