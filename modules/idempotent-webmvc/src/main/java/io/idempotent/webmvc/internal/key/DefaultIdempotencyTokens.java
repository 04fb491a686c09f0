package io.idempotent.webmvc.internal.key;

import java.time.Duration;
import java.util.List;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.IdempotencyTokens;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operations;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.util.Assert;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Issues tokens to the callers of requests, and to callers who are named. */
public record DefaultIdempotencyTokens(TokenService service, CallerScope callers, Operations operations,
		HttpSettings settings) implements IdempotencyTokens {

	public static final String OPERATION = "token";

	@Override
	public String issue() {
		return issue(currentRequest(), TokenService.ANY_OPERATION);
	}

	@Override
	public String issue(String operation) {
		return issue(currentRequest(), required(operation));
	}

	@Override
	public String issueTo(Caller caller, String operation, Duration timeToLive) {
		Assert.isTrue(!caller.isUnnamed(), "The caller of a token has a blank name, and could not be distinguished "
				+ "from others: name it, or use Caller.ANONYMOUS");
		Assert.isTrue(timeToLive.toMillis() > 0, "The time to live of a token must be positive");
		Assert.state(!this.settings.bindToSession(), "A token for a named caller cannot be used while every key "
				+ "belongs to a session: set idempotent.web.bind-to-session=false, or issue the token on the page itself");
		return store(OperationKey.caller(caller.name(), caller.tenant(), null), required(operation), timeToLive);
	}

	@Override
	public String parameter() {
		return this.settings.tokenParameter();
	}

	@Override
	public String header() {
		return this.settings.tokenHeader();
	}

	@Override
	public Duration timeToLive() {
		return this.service.timeToLive();
	}

	public String generate(String operation) {
		return this.service.generate(operation, timeToLive());
	}

	/** For the caller of the request. */
	public String issue(HttpServletRequest request, String operation) {
		return store(this.callers.of(request, true, OPERATION), operation, timeToLive());
	}

	private String store(List<String> caller, String operation, Duration timeToLive) {
		try {
			return this.service.issue(caller, operation, timeToLive);
		}
		catch (StoreUnavailableException ex) {
			SubmissionRefusedException refused = new SubmissionRefusedException(Refusal.STORE_UNAVAILABLE, OPERATION);
			refused.initCause(ex);
			throw refused;
		}
	}

	/** Throws an {@link IllegalArgumentException} unless the operation takes tokens. */
	String required(String operation) {
		KeySource source = this.operations.source(operation);
		Assert.notNull(source, () -> "There is no idempotent handler method of the name '" + operation
				+ "': give the name of its @ApiIdempotent, or Controller.method");
		Assert.isTrue(source == KeySource.TOKEN,
				() -> "The operation '" + operation + "' takes no token: its key source is " + source);
		return operation;
	}

	private static HttpServletRequest currentRequest() {
		if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
			return attributes.getRequest();
		}
		throw new IllegalStateException(
				"This thread handles no request, so that a token has no caller: name the caller (issueTo)");
	}

}
