package io.idempotent.webmvc.internal.request;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.accept.ApiVersionHolder;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Computes the fingerprint of operation, method, matched path, API version, sorted query
 * and content: JSON in canonical form whatever its charset, a form as its sorted
 * parameters, a multipart request as its parts sorted by name, other content as bytes.
 * Form tokens, CSRF tokens and fields that the operation ignores do not count.
 */
public final class RequestFingerprint {

	/** How many values, names and brackets a JSON body may have. */
	public static final int MAX_JSON_TOKENS = 200_000;

	private static final Log logger = LogFactory.getLog(RequestFingerprint.class);

	private final HttpSettings settings;

	private final JsonCanonicalizer json;

	/** The operations of which one refused submission was logged. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	public RequestFingerprint(HttpSettings settings, long maxJsonTokens) {
		this.settings = settings;
		this.json = new JsonCanonicalizer(maxJsonTokens,
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
		Predicate<String> fields = countedFields(request, operation);
		String query = request.getQueryString();
		addQuery(digest, query, fields);
		MultipartContent parts = MultipartContent.of(request, cachedRequest, type,
				operation.source() == KeySource.CONTENT);
		boolean form = MediaType.APPLICATION_FORM_URLENCODED.equalsTypeAndSubtype(type);
		Map<String, String[]> parameters = parameters(request, cachedRequest, parts, form);
		addForm(digest, parameters, query, fields);
		if (parts != null) {
			parts.addTo(digest, fields);
		}
		else if (form) {
			// The bytes that the container has not parsed (PUT without a form filter), or
			// that a filter serves again.
			boolean parsed = cachedRequest.isFormOfContainer()
					|| QueryFields.areInBody(parameters, query, (name) -> true);
			byte[] bytes = cachedRequest.form();
			if (bytes == null || bytes.length == 0) {
				bytes = body(request, cachedRequest, operation, parsed);
			}
			else if (parsed && bytes[0] != '{' && bytes[0] != '[') {
				// Not JSON without its type, as curl sends it: as parameters, "+" is " ".
				bytes = new byte[0];
			}
			digest.add("bytes").add(counted(bytes, fields));
		}
		else {
			addBody(digest, body(request, cachedRequest, operation, false), type, operation);
		}
		return new Fingerprint(digest.build());
	}

	/**
	 * The compared fields, without those of form token and CSRF token. The name of the
	 * latter is read for the first field, since most requests have no fields.
	 */
	private Predicate<String> countedFields(HttpServletRequest request, Operation operation) {
		Supplier<String> csrfParameter = SingletonSupplier.of(() -> CsrfTokens.parameterOf(request));
		return (name) -> operation.fields().counts(name) && !name.equals(this.settings.tokenParameter())
				&& !name.equals(csrfParameter.get());
	}

	private static void addQuery(Digest.Builder digest, @Nullable String query, Predicate<String> fields) {
		Map<String, List<String>> counted = QueryFields.of(query);
		if (!counted.isEmpty()) {
			counted.keySet().removeIf(fields.negate());
		}
		digest.add(Integer.toString(counted.size()));
		counted.forEach((name, values) -> {
			digest.add(name).add(Integer.toString(values.size()));
			values.forEach(digest::add);
		});
	}

	/** Adds the parameters if at least one that counts is not from the query. */
	private static void addForm(Digest.Builder digest, Map<String, String[]> parameters, @Nullable String query,
			Predicate<String> fields) {
		if (!QueryFields.areInBody(parameters, query, fields)) {
			return;
		}
		digest.add("form");
		new TreeMap<>(parameters).forEach((name, values) -> {
			if (fields.test(name)) {
				digest.add(name).add(Integer.toString(values.length));
				Stream.of(values).map(QueryFields::orEmpty).forEach(digest::add);
			}
		});
	}

	/** The fields of an encoded form that count. */
	private static byte[] counted(byte[] form, Predicate<String> fields) {
		return Stream.of(new String(form, StandardCharsets.ISO_8859_1).split("&", -1))
			.filter((field) -> field.isEmpty() || fields.test(QueryFields.name(field)))
			.collect(Collectors.joining("&"))
			.getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * Also without a form, since a forward keeps those of the first query and a filter
	 * may add its own. None if the container cannot read them: then the handler method
	 * cannot either, and the bytes of a form count. Parts contain all parameters; if a
	 * wrapper has parsed them, the container must not.
	 */
	private static Map<String, String[]> parameters(HttpServletRequest request, CachedBodyRequest cachedRequest,
			@Nullable MultipartContent parts, boolean form) {
		if (parts != null && parts.resolved() == null
				&& request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI) == null) {
			return Map.of();
		}
		try {
			return request.getParameterMap();
		}
		catch (RuntimeException ex) {
			if (form && cachedRequest.form() == null) {
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
		String message = "Operation '" + operation.name() + "' refused a submission, because " + left + " of "
				+ request.getContentLengthLong()
				+ " bytes of its body are left: a filter has read it, or it is multipart without a part that has a name "
				+ "(requests, outermost first: " + wrappers(request) + "). Let a filter pass on a wrapper whose "
				+ "getInputStream() and getReader() return the body again";
		if (this.warned.add(operation.name())) {
			logger.warn(message + ". Further ones of the operation are logged at DEBUG");
		}
		else {
			logger.debug(message);
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

	/** Used only since Spring Framework 7, whose Spring MVC knows the API version. */
	private static final class ApiVersion {

		private static final boolean KNOWN = ClassUtils.isPresent("org.springframework.web.accept.ApiVersionHolder",
				ApiVersion.class.getClassLoader());

		static void addTo(Digest.Builder digest, HttpServletRequest request) {
			if (KNOWN && request.getAttribute(HandlerMapping.API_VERSION_ATTRIBUTE) instanceof ApiVersionHolder version
					&& version.hasVersion()) {
				digest.add("version").add(version.getVersion().toString());
			}
		}

	}

}
