package io.idempotent.webmvc.internal.key;

import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.IdempotencyProfile.KeySyntax;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.request.QueryFields;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;

/**
 * Reads the key or the token of a request: 1 to 255 printable ASCII characters, after
 * quotes and parameters of a structured field are removed. A second header is refused.
 */
public final class KeyReader {

	public static final int MAX_LENGTH = 255;

	/** With escapes and parameters: a longer one is malformed. */
	private static final int MAX_QUOTED = 1536;

	private static final String TEXT = "(?:[ !#-\\[\\]-~]++|\\\\[\"\\\\])*+";

	private static final String BARE_ITEM = "-?+[0-9]{1,15}+(?:\\.[0-9]{1,3}+)?+|\"" + TEXT
			+ "\"|[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*+|:[A-Za-z0-9+/=]*+:|\\?[01]|@-?+[0-9]{1,15}+|%\"[ !#-~]*+\"";

	/** A string of RFC 9651, and its parameters. */
	private static final Pattern QUOTED = Pattern
		.compile("\"(" + TEXT + ")\"(?:; *+[a-z*][a-z0-9_.*-]*+(?:=(?:" + BARE_ITEM + "))?+)*+");

	private static final Log logger = LogFactory.getLog(KeyReader.class);

	private final HttpSettings settings;

	/** The operations whose forms lacked a token. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	public KeyReader(HttpSettings settings) {
		this.settings = settings;
	}

	/** The value of the {@code Idempotency-Key} header, as the client sent it. */
	public String keyHeader(HttpServletRequest request, String operation) {
		return single(request.getHeaders(this.settings.keyHeader()), operation).strip();
	}

	/** A value in quotes is a string of RFC 9651, whose parameters are ignored. */
	public static String key(String header, KeySyntax syntax, String operation) {
		String value = header.strip();
		return require(switch (syntax) {
			case QUOTED_OR_BARE -> value.startsWith("\"") ? quoted(value) : bare(value);
			case QUOTED -> value.startsWith("\"") ? quoted(value) : null;
			case OPAQUE -> opaque(value);
		}, operation);
	}

	/**
	 * Reads the token from its header or form field; never from the query string, which
	 * appears in access logs. If there are several fields, the last one counts: a page
	 * with a field of its own may have been given another one before it.
	 */
	public String token(HttpServletRequest request, String operation) {
		Enumeration<String> header = request.getHeaders(this.settings.tokenHeader());
		if (header.hasMoreElements()) {
			return token(single(header, operation), operation);
		}
		List<String> fields = QueryFields.inBody(request, this.settings.tokenParameter());
		if (fields.isEmpty()) {
			warnOfForm(request, operation);
			throw new SubmissionRefusedException(Refusal.KEY_MISSING, operation);
		}
		return token(fields.get(fields.size() - 1), operation);
	}

	private void warnOfForm(HttpServletRequest request, String operation) {
		if (isForm(request.getContentType()) && this.warned.add(operation)) {
			logger.warn("A form was sent to the operation '" + operation + "' without the field '"
					+ this.settings.tokenParameter() + "', and was refused. Thymeleaf adds the field if the form has "
					+ "th:action, or an action that is written by hand; so do Spring's JSP tags. Elsewhere render "
					+ "IdempotencyTokens.issue(\"" + operation + "\") into it. This is logged once for an operation");
		}
	}

	public static String token(String value, String operation) {
		return require(bare(value.strip()), operation);
	}

	private static boolean isForm(@Nullable String contentType) {
		return contentType != null && (contentType.startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE)
				|| contentType.startsWith(MediaType.MULTIPART_FORM_DATA_VALUE));
	}

	private static String single(Enumeration<String> values, String operation) {
		if (!values.hasMoreElements()) {
			throw new SubmissionRefusedException(Refusal.KEY_MISSING, operation);
		}
		String value = values.nextElement();
		if (values.hasMoreElements()) {
			throw new SubmissionRefusedException(Refusal.KEY_MALFORMED, operation);
		}
		return value;
	}

	private static String require(@Nullable String value, String operation) {
		if (value == null || value.isEmpty() || value.length() > MAX_LENGTH) {
			throw new SubmissionRefusedException(Refusal.KEY_MALFORMED, operation);
		}
		return value;
	}

	/** Without its parameters and escapes. */
	private static @Nullable String quoted(String value) {
		int end = value.length() - 1;
		if (value.indexOf('"', 1) == end && value.indexOf('\\') < 0) {
			return opaque(value.substring(1, end));
		}
		Matcher item = QUOTED.matcher(value);
		return (value.length() <= MAX_QUOTED && item.matches())
				? item.group(1).replace("\\\"", "\"").replace("\\\\", "\\") : null;
	}

	/** No white space; a comma would mean that a proxy has joined two headers. */
	private static @Nullable String bare(String value) {
		boolean plain = value.indexOf(' ') < 0 && value.indexOf(',') < 0 && value.indexOf('"') < 0;
		return plain ? opaque(value) : null;
	}

	private static @Nullable String opaque(String value) {
		for (int i = 0; i < value.length(); i++) {
			if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
				return null;
			}
		}
		return value;
	}

}
