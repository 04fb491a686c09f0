package io.idempotent.webmvc;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.Claim;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.Submission;
import io.idempotent.method.OperationExecution;
import io.idempotent.method.RecoveredResult;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.support.KeyExpression;
import io.idempotent.webmvc.OutcomeClassifier.Answer;
import io.idempotent.webmvc.OutcomeClassifier.OutcomeClass;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;

/**
 * Turns a request into a submission: finds the key, takes the fingerprint, asks the gate.
 */
final class HttpSubmitter {

	private static final Log logger = LogFactory.getLog(HttpSubmitter.class);

	private final IdempotencyGate gate;

	private final HttpSettings settings;

	private final CallerScope callers;

	private final TokenMint tokens;

	private final @Nullable OutcomeClassifier classifier;

	private final @Nullable ReplayAuthorizer authorizer;

	private final KeyReader keys;

	private final RequestFingerprint fingerprints;

	HttpSubmitter(IdempotencyGate gate, HttpSettings settings, CallerScope callers, TokenMint tokens,
			@Nullable OutcomeClassifier classifier, @Nullable ReplayAuthorizer authorizer) {
		this.gate = gate;
		this.settings = settings;
		this.callers = callers;
		this.tokens = tokens;
		this.classifier = classifier;
		this.authorizer = authorizer;
		this.keys = new KeyReader(settings);
		this.fingerprints = new RequestFingerprint(settings);
	}

	HttpSettings settings() {
		return this.settings;
	}

	/**
	 * Begins an exchange, and decides it unless that has to wait for the call.
	 * @param operation the operation
	 * @param request the request at hand
	 * @param wrapper our wrapper below it
	 * @return the exchange
	 * @throws IOException if the client breaks off
	 * @throws ServletException if a multipart request cannot be parsed
	 * @throws SubmissionRefusedException if the submission is refused
	 */
	HttpSubmission begin(Operation operation, HttpServletRequest request, CachedBodyRequest wrapper)
			throws IOException, ServletException {
		// What cannot be admitted is refused before the body is read.
		List<String> caller = this.callers.of(request, false, operation.name());
		String sent = (operation.source() != KeySource.CONTENT) ? readKey(operation, request) : null;
		TokenMint.Token token = (sent != null && operation.source() == KeySource.TOKEN)
				? recognise(operation, sent, caller) : null;
		Fingerprint fingerprint = this.fingerprints.of(request, wrapper, operation);
		HttpSubmission exchange = new HttpSubmission(operation, this, fingerprint, sent, wrapper.response());
		wrapper.attach(exchange);
		request.setAttribute(IdempotencyContext.ATTRIBUTE, exchange.context());
		if (operation.claimsInCall()) {
			// Before the arguments are bound: one of them may be the response's stream.
			wrapper.response().arm(this.settings.maxResponseBody());
		}
		else {
			String key = exchange.keyWithoutArguments();
			decide(exchange, request,
					(token != null) ? byToken(exchange, token, key) : byKey(exchange, caller, request, key));
		}
		return exchange;
	}

	/**
	 * Decides an exchange from inside the call.
	 * @param exchange the exchange
	 * @param request the request
	 * @param arguments the arguments of the call
	 * @throws SubmissionRefusedException if the submission is refused
	 */
	void decideInCall(HttpSubmission exchange, HttpServletRequest request, @Nullable Object[] arguments) {
		Operation operation = exchange.handledBy();
		List<String> caller = this.callers.of(request, false, operation.name());
		KeyExpression expression = operation.expression();
		String key = (expression != null) ? evaluate(operation, expression, arguments) : exchange.keyWithoutArguments();
		decide(exchange, request, (operation.source() == KeySource.TOKEN)
				? byToken(exchange, recognise(operation, key, caller), key) : byKey(exchange, caller, request, key));
	}

	IdempotencyGate gate() {
		return this.gate;
	}

	OperationExecution run(Operation operation, OperationKey key, Supplier<@Nullable RecoveredResult> rebuild) {
		return new OperationExecution(this.gate, operation.policy(), key, rebuild, Claim::completeAsProven);
	}

	void authorizeReplay(IdempotencyContext context, HttpServletRequest request) {
		if (this.authorizer != null) {
			this.authorizer.authorize(context, request);
		}
	}

	@Nullable OutcomeClass classify(String operation, Answer answer) {
		if (this.classifier == null) {
			return null;
		}
		try {
			return this.classifier.classify(operation, answer);
		}
		catch (RuntimeException ex) {
			logger.error("The OutcomeClassifier failed on an answer of operation '" + operation
					+ "': the status of the answer decides whether it took effect", ex);
			return null;
		}
	}

	private void decide(HttpSubmission exchange, HttpServletRequest request, Submission submission) {
		exchange.decide(request, submission, this.gate.enter(exchange.handledBy().policy(), submission));
	}

	private String readKey(Operation operation, HttpServletRequest request) {
		return (operation.source() == KeySource.TOKEN) ? this.keys.token(request, operation.name())
				: this.keys.key(request, operation.name());
	}

	private TokenMint.Token recognise(Operation operation, String value, List<String> caller) {
		TokenMint.Token token = this.tokens.recognise(value, caller, operation.name());
		if (token == null) {
			throw new SubmissionRefusedException(Refusal.TOKEN_UNKNOWN, operation.name());
		}
		return token;
	}

	private static Submission byToken(HttpSubmission exchange, TokenMint.Token token, String value) {
		return new Submission(token.key(), value, exchange.fingerprint(), token.admission(), token.life());
	}

	private Submission byKey(HttpSubmission exchange, List<String> caller, HttpServletRequest request, String value) {
		Operation operation = exchange.handledBy();
		List<String> scope = new ArrayList<>(8);
		scope.add((operation.source() == KeySource.HEADER) ? "header" : "content");
		scope.addAll(caller);
		// A key expression names the operation by itself, wherever it was sent to.
		if (operation.expression() == null) {
			scope.add(request.getMethod());
			scope.addAll(MatchedPath.parts(request));
		}
		OperationKey key = OperationKey.of(this.settings.namespace(), operation.name(), scope, value);
		return new Submission(key, value, exchange.fingerprint(), Admission.OPEN, Duration.ZERO);
	}

	private static String evaluate(Operation operation, KeyExpression expression, @Nullable Object[] arguments) {
		try {
			Object value = expression.evaluate(arguments);
			if (value != null && !value.toString().isEmpty()) {
				return value.toString();
			}
		}
		catch (EvaluationException ex) {
			expression.logFailure(logger, operation.name(), ex);
		}
		throw new SubmissionRefusedException(Refusal.KEY_MISSING, operation.name());
	}

}
