package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.claim.Submission;
import io.idempotent.support.KeyExpression;
import io.idempotent.webmvc.internal.key.CallerScope;
import io.idempotent.webmvc.internal.key.ExpressionKey;
import io.idempotent.webmvc.internal.key.KeyReader;
import io.idempotent.webmvc.internal.key.TokenService;
import io.idempotent.webmvc.internal.key.TokenService.Token;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.request.MatchedPath;
import io.idempotent.webmvc.internal.request.RequestFingerprint;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;

/** Reads the {@link Submission} of a request: caller, key or token, and fingerprint. */
public final class SubmissionReader {

	private final CallerScope callers;

	private final TokenService tokens;

	private final KeyReader keys;

	private final HttpSettings settings;

	private final RequestFingerprint fingerprints;

	public SubmissionReader(HttpSettings settings, CallerScope callers, TokenService tokens) {
		this.callers = callers;
		this.tokens = tokens;
		this.keys = new KeyReader(settings);
		this.settings = settings;
		this.fingerprints = new RequestFingerprint(settings, RequestFingerprint.MAX_JSON_TOKENS);
	}

	/** Whether a request has no key and does not need one. */
	public boolean isWithoutKey(Operation operation, HttpServletRequest request) {
		return operation.source() == KeySource.HEADER && !this.settings.protocol().keyRequired()
				&& request.getHeader(this.settings.keyHeader()) == null;
	}

	boolean isFresh(@Nullable Token token) {
		return token != null && token.isFresh(this.tokens.timeToLive());
	}

	/** Whether a repeat with the same header has the same key, not in a new session. */
	boolean isFoundByHeader(Operation operation, HttpServletRequest request) {
		return operation.source() == KeySource.HEADER && this.callers.staysInSession(request);
	}

	/**
	 * Reads what is known before the arguments are bound. With a condition, an
	 * unacceptable caller or key is refused only if the operation applies to the call.
	 */
	public ReadRequest read(Operation operation, HttpServletRequest request, SubmissionRequest submissionRequest)
			throws ServletException {
		HttpServletRequest preview = submissionRequest.preview(request, this.settings.maxRequestBody(),
				operation.name());
		try {
			return read(operation, submissionRequest, preview);
		}
		catch (IOException | UncheckedIOException ex) {
			throw new HttpMessageNotReadableException(
					"The request body of operation '" + operation.name()
							+ "' could not be read to its end: the client has probably disconnected",
					ex, new ServletServerHttpRequest(request));
		}
		finally {
			submissionRequest.rewind();
		}
	}

	private ReadRequest read(Operation operation, SubmissionRequest submissionRequest, HttpServletRequest request)
			throws IOException, ServletException {
		List<String> caller = List.of();
		String key = null;
		Token token = null;
		SubmissionRefusedException refused = null;
		// The checks that need no body, except for the token of a form, come first.
		try {
			caller = this.callers.of(request, false, operation.name());
			key = readKey(operation, request, submissionRequest.response());
			token = (key != null && operation.source() == KeySource.TOKEN) ? recognise(operation, key, caller) : null;
		}
		catch (SubmissionRefusedException ex) {
			if (operation.condition() == null) {
				throw ex;
			}
			refused = ex;
		}
		return new ReadRequest(caller, key, token, refused,
				this.fingerprints.of(request, submissionRequest, operation));
	}

	private @Nullable String readKey(Operation operation, HttpServletRequest request, HttpServletResponse response) {
		return switch (operation.source()) {
			case TOKEN -> this.keys.token(request, operation.name());
			case HEADER -> readAndEchoHeader(operation, request, response);
			case CONTENT, DEFAULT -> null;
		};
	}

	private String readAndEchoHeader(Operation operation, HttpServletRequest request, HttpServletResponse response) {
		String header = this.keys.keyHeader(request, operation.name());
		String key = KeyReader.key(header, this.settings.protocol().keySyntax(), operation.name());
		if (this.settings.protocol().echoKey()) {
			response.setHeader(this.settings.keyHeader(), header);
		}
		return key;
	}

	/** The submission as it was read before the call. */
	Submission submission(Operation operation, ReadRequest read, HttpServletRequest request) {
		if (read.refused() != null) {
			throw read.refused();
		}
		String value = read.value();
		Token token = read.token();
		if (token != null) {
			return new Submission(token.key(), value, read.fingerprint(), token.admission(), token.life());
		}
		String namespace = this.settings.namespace();
		OperationKey key = (operation.expression() != null) ? operation.key(namespace, read.caller(), value)
				: operation.keyAtPath(namespace, read.caller(), request.getMethod(), MatchedPath.parts(request), value);
		return new Submission(key, value, read.fingerprint(), Admission.OPEN, Duration.ZERO);
	}

	/**
	 * Within the call the caller is resolved again, since method security may have
	 * authenticated it meanwhile, and an expression gives the key.
	 */
	Submission submissionInCall(Operation operation, ReadRequest before, HttpServletRequest request,
			@Nullable Object[] arguments) {
		if (before.refused() != null) {
			throw before.refused();
		}
		List<String> caller = this.callers.of(request, false, operation.name());
		KeyExpression expression = operation.expression();
		String value = (expression != null) ? ExpressionKey.of(expression, arguments, operation.name())
				: before.value();
		Token token = (operation.source() == KeySource.TOKEN) ? recognise(operation, value, caller) : null;
		return submission(operation, new ReadRequest(caller, value, token, null, before.fingerprint()), request);
	}

	private Token recognise(Operation operation, String value, List<String> caller) {
		Token token = this.tokens.recognise(value, caller, operation.name());
		if (token != null) {
			return token;
		}
		throw new SubmissionRefusedException(Refusal.TOKEN_UNKNOWN, operation.name());
	}

	/**
	 * What was read before the arguments are bound: a token exactly if the source is
	 * {@link KeySource#TOKEN}, unless it is refused, which counts only if the operation
	 * applies to the call.
	 */
	public record ReadRequest(List<String> caller, @Nullable String key, @Nullable Token token,
			@Nullable SubmissionRefusedException refused, Fingerprint fingerprint) {

		/** The value of the key, unless an expression computes it from the arguments. */
		String value() {
			return (this.key != null) ? this.key : this.fingerprint.digest().encoded();
		}

	}

}
