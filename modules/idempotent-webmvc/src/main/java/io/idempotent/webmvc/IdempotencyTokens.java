package io.idempotent.webmvc;

import java.time.Duration;

import io.idempotent.SubmissionRefusedException;

/**
 * Issues tokens for operations with the key source {@link io.idempotent.KeySource#TOKEN
 * TOKEN}. Forms rendered by Thymeleaf or Spring's JSP tags get their tokens
 * automatically; this bean is for everything else, such as JSON, other template engines,
 * and links in mails.
 *
 * <p>
 * A token is good for one submission by its caller. A token for one operation is unknown
 * to every other operation. Unless tokens are signed, each is written to the store.
 */
public interface IdempotencyTokens {

	/**
	 * Issues a token for one submission of any operation by the caller of the current
	 * request.
	 * @throws IllegalStateException if the current thread handles no request
	 * @throws SubmissionRefusedException if the caller is authenticated and has no name,
	 * or the token must be stored and the store does not respond
	 */
	String issue();

	/**
	 * Issues a token for one submission of an operation by the caller of the current
	 * request.
	 * @param operation the name of the operation, such as {@code OrderController.create}
	 * @throws IllegalArgumentException if no such operation takes tokens
	 * @throws IllegalStateException if the current thread handles no request
	 * @throws SubmissionRefusedException if the caller is authenticated and has no name,
	 * or the token must be stored and the store does not respond
	 */
	String issue(String operation);

	/**
	 * Issues a token for one submission of an operation by a caller who need not be
	 * there, as for a link in a mail. Its use is recorded for the time to live or the
	 * retention of the operation, whichever is longer.
	 * @param caller the caller, as the {@link CallerResolver} will resolve it
	 * @param operation the name of the operation, such as {@code OrderController.create}
	 * @param timeToLive how long the token can be used for the first time
	 * @throws IllegalArgumentException if no such operation takes tokens, or the caller
	 * has a blank name
	 * @throws IllegalStateException if keys belong to sessions
	 * ({@code idempotent.web.bind-to-session=true})
	 * @throws SubmissionRefusedException if the token must be stored and the store does
	 * not respond
	 */
	String issueTo(Caller caller, String operation, Duration timeToLive);

	/** The name of the form field that carries a token. */
	String parameter();

	/** The name of the request header that carries a token. */
	String header();

	/** How long a token can be used for the first time, unless another time is given. */
	Duration timeToLive();

}
