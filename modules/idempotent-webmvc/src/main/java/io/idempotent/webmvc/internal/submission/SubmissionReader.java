package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.claim.Submission;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.support.KeyExpression;
import io.idempotent.webmvc.internal.key.CallerScope;
import io.idempotent.webmvc.internal.key.HttpKeys;
import io.idempotent.webmvc.internal.key.KeyReader;
import io.idempotent.webmvc.internal.key.KeyText;
import io.idempotent.webmvc.internal.key.TokenMint;
import io.idempotent.webmvc.internal.key.TokenMint.Token;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.request.MatchedPath;
import io.idempotent.webmvc.internal.request.RequestFingerprint;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;

/**
 * Reads a {@link Submission} from a request: the caller, the key or token, and the
 * fingerprint of the content.
 */
public final class SubmissionReader {

	private static final Log logger = LogFactory.getLog(SubmissionReader.class);

	private final CallerScope callers;

	private final TokenMint tokens;

	private final KeyReader keys;

	private final HttpSettings settings;

	private final HttpKeys operationKeys;

	private final RequestFingerprint fingerprints;

	public SubmissionReader(HttpSettings settings, CallerScope callers, TokenMint tokens) {
		this.operationKeys = new HttpKeys(settings.namespace());
		this.callers = callers;
		this.tokens = tokens;
		this.keys = new KeyReader(settings);
		this.settings = settings;
		this.fingerprints = new RequestFingerprint(settings);
	}

	/**
	 * Reads what is known before the arguments of the handler method are bound.
	 * @param operation the operation
	 * @param request the current request
	 * @param cachedRequest the wrapper that keeps the body
	 * @return what was read
	 * @throws IOException if the client disconnects
	 * @throws ServletException if a multipart request cannot be parsed
	 * @throws SubmissionRefusedException if caller, key or content is not acceptable
	 */
	public ReadRequest read(Operation operation, HttpServletRequest request, CachedBodyRequest cachedRequest)
			throws IOException, ServletException {
		// The cheap checks come before the body is read.
		SentKey sent = sentKey(operation, request, cachedRequest.response());
		return new ReadRequest(sent, this.fingerprints.of(request, cachedRequest, operation));
	}

	/**
	 * With a condition, a caller or key that is not acceptable is refused only if the
	 * operation applies to the call.
	 */
	private SentKey sentKey(Operation operation, HttpServletRequest request, HttpServletResponse response) {
		try {
			List<String> caller = this.callers.of(request, false, operation.name());
			String sentKey = readKey(operation, request, response);
			Token token = (sentKey != null && operation.source() == KeySource.TOKEN)
					? recognise(operation, sentKey, caller) : null;
			return new SentKey(caller, sentKey, token, null);
		}
		catch (SubmissionRefusedException ex) {
			if (operation.condition() == null) {
				throw ex;
			}
			return new SentKey(List.of(), null, null, ex);
		}
	}

	/**
	 * Creates the submission.
	 * @param operation the operation
	 * @param read what was read from the request
	 * @param request the current request
	 * @param arguments the arguments of the call of the handler method, within which the
	 * caller is resolved again, since method security may have authenticated it
	 * meanwhile; {@code null} before the call
	 * @throws SubmissionRefusedException if caller, key or token is not acceptable
	 */
	Submission submission(Operation operation, ReadRequest read, HttpServletRequest request,
			@Nullable Object @Nullable [] arguments) {
		SentKey sent = read.sent();
		if (sent.refused() != null) {
			throw sent.refused();
		}
		List<String> caller = (arguments != null) ? this.callers.of(request, false, operation.name()) : sent.caller();
		KeyExpression expression = operation.expression();
		String key = (arguments != null && expression != null) ? evaluate(operation, expression, arguments)
				: read.key();
		if (operation.source() != KeySource.TOKEN) {
			return byKey(operation, caller, request, key, read.fingerprint());
		}
		Token token = (arguments != null || sent.token() == null) ? recognise(operation, key, caller) : sent.token();
		return new Submission(token.key(), key, read.fingerprint(), token.admission(), token.life());
	}

	/**
	 * Whether a request has no key and does not need one.
	 * @param operation the operation
	 * @param request the current request
	 * @return whether the operation runs unprotected
	 */
	public boolean isWithoutKey(Operation operation, HttpServletRequest request) {
		return operation.source() == KeySource.HEADER && !this.settings.protocol().keyRequired()
				&& request.getHeader(this.settings.keyHeader()) == null;
	}

	private @Nullable String readKey(Operation operation, HttpServletRequest request, HttpServletResponse response) {
		return switch (operation.source()) {
			case TOKEN -> this.keys.token(request, operation.name());
			case HEADER -> readHeader(operation, request, response);
			case CONTENT, DEFAULT -> null;
		};
	}

	private String readHeader(Operation operation, HttpServletRequest request, HttpServletResponse response) {
		String header = this.keys.keyHeader(request, operation.name());
		String key = KeyReader.key(header, this.settings.protocol().keySyntax(), operation.name());
		if (this.settings.protocol().echoKey()) {
			response.setHeader(this.settings.keyHeader(), header);
		}
		return key;
	}

	private Token recognise(Operation operation, String value, List<String> caller) {
		Token token = this.tokens.recognise(value, caller, operation.name());
		if (token == null) {
			throw new SubmissionRefusedException(Refusal.TOKEN_UNKNOWN, operation.name());
		}
		return token;
	}

	private Submission byKey(Operation operation, List<String> caller, HttpServletRequest request, String value,
			Fingerprint fingerprint) {
		OperationKey key = (operation.expression() != null) ? this.operationKeys.ofExpression(operation, caller, value)
				: this.operationKeys.atPath(operation, caller, request.getMethod(), MatchedPath.parts(request), value);
		return new Submission(key, value, fingerprint, Admission.OPEN, Duration.ZERO);
	}

	private static String evaluate(Operation operation, KeyExpression expression, @Nullable Object[] arguments) {
		try {
			String key = KeyText.of(expression.evaluate(arguments));
			if (!key.isEmpty()) {
				return key;
			}
		}
		catch (EvaluationException ex) {
			expression.logFailure(logger, operation.name(), ex);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalStateException("The key expression \"" + expression.text() + "\" of operation '"
					+ operation.name() + "' has a value that identifies nothing: " + ex.getMessage(), ex);
		}
		throw new SubmissionRefusedException(Refusal.KEY_MISSING, operation.name());
	}

	/**
	 * What was read from a request before the arguments of the handler method are bound.
	 *
	 * @param sent who sent which key
	 * @param fingerprint the fingerprint of the content
	 */
	public record ReadRequest(SentKey sent, Fingerprint fingerprint) {

		/**
		 * The key, unless an expression computes it from the arguments.
		 */
		String key() {
			String key = this.sent.key();
			return (key != null) ? key : this.fingerprint.digest().encoded();
		}

	}

	/**
	 * Who sent which key.
	 *
	 * @param caller the parts of the key that identify the caller
	 * @param key the key or token as sent, or {@code null} if the content is the key
	 * @param token what the token stands for, or {@code null} if none is used
	 * @param refused why they are not acceptable if the operation applies to the call, or
	 * {@code null}
	 */
	record SentKey(List<String> caller, @Nullable String key, @Nullable Token token,
			@Nullable SubmissionRefusedException refused) {
	}

}
