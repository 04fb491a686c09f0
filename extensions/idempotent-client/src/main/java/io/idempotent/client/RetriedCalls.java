package io.idempotent.client;

import java.net.URI;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;

/**
 * Gives each call of a {@code @Retryable} method of Spring Framework one key for all
 * attempts of the method. With auto-configuration, an {@link IdempotentClientInterceptor}
 * has it already; otherwise surround the method with {@link #allAttempts} before, and
 * with {@link #attempt} after the advice that retries it.
 *
 * <p>
 * A call is recognised by its HTTP method, its URI and its content. It is refused with an
 * {@link IllegalStateException} where it is not certain which call of an earlier attempt
 * it repeats, since it might take effect twice, or get the answer of another call and not
 * take effect at all: if earlier attempts have made several equal calls; if an attempt
 * has left the call out and made a later one; and if the content is new, but a call to
 * the URI has not been repeated. Calls with a key of their own are not recognised and
 * never refused.
 *
 * <p>
 * Each attempt must make the calls of the one before. If the first attempt has made one
 * call, and the next one makes an equal call that means something else, nothing shows the
 * difference: give such calls their keys.
 *
 * <p>
 * Keys are kept until the method has ended, for {@value AttemptKeys#MAX_CALLS} calls; a
 * further call is refused. Only blocking calls on the thread of the method are included,
 * and a method with a publisher as its result is not. Safe for use by several threads.
 */
public final class RetriedCalls {

	// Not static, so that applications in one JVM do not share it. Removed after methods.
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable AttemptKeys> running = new ThreadLocal<>();

	/** Surrounds all attempts; a method within another one belongs to that. */
	public @Nullable Object allAttempts(MethodInvocation method) throws Throwable {
		if (this.running.get() != null) {
			return method.proceed();
		}
		this.running.set(new AttemptKeys());
		try {
			return method.proceed();
		}
		finally {
			this.running.remove();
		}
	}

	/** Surrounds each attempt. What a failed one has sent, the next one sends again. */
	public @Nullable Object attempt(MethodInvocation attempt) throws Throwable {
		AttemptKeys keys = this.running.get();
		if (keys == null) {
			return attempt.proceed();
		}
		int begin = keys.begin();
		try {
			return attempt.proceed();
		}
		catch (Throwable ex) {
			keys.failed(begin);
			throw ex;
		}
	}

	AttemptKeys.Key key(HttpMethod method, URI uri, byte[] body, Supplier<String> generator) {
		AttemptKeys keys = this.running.get();
		return (keys != null) ? keys.of(method, uri, body, generator) : AttemptKeys.Key.fresh(generator);
	}

}
