package io.idempotent.webmvc;

import java.time.Duration;
import java.util.List;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.StoreUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Issues tokens for operations with the key source {@link io.idempotent.KeySource#TOKEN
 * TOKEN}. Forms that Thymeleaf or Spring's JSP tags render get theirs by themselves; this
 * bean is for everything else, such as JSON, pages of other template engines, and links
 * in mails.
 *
 * <p>
 * A token is good for one submission by its caller. A token for one operation is unknown
 * to every other operation. Unless tokens are signed, each is written to the store.
 */
public final class IdempotencyTokens {

	static final String OPERATION = "token";

	private final TokenMint mint;

	private final CallerScope callers;

	private final Operations operations;

	private final HttpSettings settings;

	IdempotencyTokens(TokenMint mint, CallerScope callers, Operations operations, HttpSettings settings) {
		this.mint = mint;
		this.callers = callers;
		this.operations = operations;
		this.settings = settings;
	}

	/**
	 * Issues a token for one submission of any operation by the caller of the current
	 * request.
	 * @throws IllegalStateException if the current thread handles no request
	 * @throws SubmissionRefusedException if the caller is authenticated and has no name,
	 * or the token must be stored and the store does not respond
	 */
	public String issue() {
		return issue(currentRequest(), null);
	}

	/**
	 * Issues a token for one submission of an operation by the caller of the current
	 * request.
	 * @param operation the name of the operation, such as {@code OrderController.create}
	 * @throws IllegalArgumentException if there is no such operation
	 * @throws IllegalStateException if the current thread handles no request
	 * @throws SubmissionRefusedException if the caller is authenticated and has no name,
	 * or the token must be stored and the store does not respond
	 */
	public String issue(String operation) {
		return issue(currentRequest(), required(operation));
	}

	/**
	 * Issues a token for one submission of an operation by a caller who need not be
	 * there, as for a link in a mail. Its use is remembered for the time to live or for
	 * the retention of the operation, whichever is longer.
	 * @param caller the caller, as the {@link CallerResolver} will resolve it
	 * @param operation the name of the operation, such as {@code OrderController.create}
	 * @param timeToLive how long the token can be used for the first time
	 * @throws IllegalArgumentException if there is no such operation, or the caller has a
	 * blank name
	 * @throws IllegalStateException if keys belong to sessions
	 * ({@code idempotent.web.bind-to-session=true})
	 * @throws SubmissionRefusedException if the token must be stored and the store does
	 * not respond
	 */
	public String issueTo(Caller caller, String operation, Duration timeToLive) {
		Assert.isTrue(!caller.isUnnamed(), "The caller of a token has a blank name, and could not be distinguished "
				+ "from others: name it, or use Caller.ANONYMOUS");
		Assert.isTrue(timeToLive.toMillis() > 0, "The time to live of a token must be positive");
		Assert.state(!this.settings.bindToSession(), "A token for a named caller cannot be used while every key "
				+ "belongs to a session: set idempotent.web.bind-to-session=false, or issue the token on the page itself");
		return mint(CallerScope.parts(caller.name(), caller.tenant(), null), required(operation), timeToLive);
	}

	/**
	 * The name of the form field that carries a token.
	 */
	public String parameter() {
		return this.settings.tokenParameter();
	}

	/**
	 * The name of the request header that carries a token.
	 */
	public String header() {
		return this.settings.tokenHeader();
	}

	/**
	 * How long a token can be used for the first time, unless another time is given.
	 */
	public Duration timeToLive() {
		return this.mint.timeToLive();
	}

	boolean isKnown(String operation) {
		return this.operations.isKnown(operation);
	}

	/**
	 * Issues a token for the caller of a request.
	 * @param request the request
	 * @param operation the name of a known operation, or {@code null} for any
	 */
	String issue(HttpServletRequest request, @Nullable String operation) {
		return mint(this.callers.of(request, true, OPERATION),
				(operation != null) ? operation : TokenMint.ANY_OPERATION, this.mint.timeToLive());
	}

	private String mint(List<String> caller, String operation, Duration timeToLive) {
		try {
			return this.mint.mint(caller, operation, timeToLive);
		}
		catch (StoreUnavailableException ex) {
			SubmissionRefusedException refused = new SubmissionRefusedException(Refusal.STORE_UNAVAILABLE, OPERATION);
			refused.initCause(ex);
			throw refused;
		}
	}

	private String required(String operation) {
		Assert.isTrue(isKnown(operation), () -> "There is no idempotent handler method of the name '" + operation
				+ "': give the name of its @ApiIdempotent, or Controller.method");
		return operation;
	}

	private static HttpServletRequest currentRequest() {
		if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
			return attributes.getRequest();
		}
		throw new IllegalStateException(
				"This thread handles no request, so that a token has no caller: " + "name the caller (issueTo)");
	}

}
