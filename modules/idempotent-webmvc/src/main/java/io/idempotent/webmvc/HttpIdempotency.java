package io.idempotent.webmvc;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.OperationPolicies;
import io.idempotent.method.OperationNames;
import io.idempotent.support.InvalidAnnotationException;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.MessageSource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * The parts that make handler methods idempotent, wired to one another. All of them are
 * needed: the {@link #filter() filter} after the security filters, the
 * {@link #interceptor() interceptor} after all others, the {@link #exceptionResolver()
 * exception resolver} before all others, and an
 * {@link io.idempotent.support.AnnotatedMethodAdvisor} with an
 * {@link ApiIdempotentMethodInterceptor}.
 */
public final class HttpIdempotency {

	/**
	 * Where the filter stands: after Spring Security's (-100), before those of the
	 * application, whose changes to an answer are recorded.
	 */
	public static final int DEFAULT_FILTER_ORDER = -50;

	private final Operations operations;

	private final IdempotencyInterceptor interceptor;

	private final HandlerExceptionResolver exceptionResolver;

	private final HandlerExceptionResolver lockExceptionResolver;

	private final HandlerExceptionResolver lostLockResolver;

	private final TokenEndpoint tokenEndpoint;

	/**
	 * Wires the parts.
	 * @param gate the state machine
	 * @param settings what is the same for every operation
	 * @param policies what fills in the annotations
	 * @param names the names of all operations
	 * @param tokens how tokens are made
	 * @param collaborators what the application contributes
	 * @param beans where controllers are found
	 */
	public HttpIdempotency(IdempotencyGate gate, HttpSettings settings, OperationPolicies policies,
			OperationNames names, Tokens tokens, Collaborators collaborators, BeanFactory beans) {
		TokenMint mint = tokens.mint(gate, settings.namespace());
		CallerResolver resolver = (collaborators.callers() != null) ? collaborators.callers()
				: CallerResolver::principal;
		CallerScope callers = new CallerScope(resolver, settings.bindToSession());
		ReplayAuthorizer authorizer = (collaborators.authorizer() != null) ? collaborators.authorizer()
				: (context, request) -> {
				};
		this.operations = new Operations(beans, policies, names, collaborators.verifies());
		this.interceptor = new IdempotencyInterceptor(this.operations,
				new SubmissionServices(gate, settings, new SubmissionReader(settings, callers, mint),
						new OutcomeRecorder(settings, collaborators.classifier()), authorizer));
		ProblemRenderer problems = (collaborators.problems() != null) ? collaborators.problems()
				: new DefaultProblemRenderer(collaborators.messages(), settings, this.operations);
		this.exceptionResolver = new IdempotencyExceptionResolver(problems, gate, this.operations);
		this.lockExceptionResolver = new LockExceptionResolver(problems);
		this.lostLockResolver = new LostLockResolver(problems);
		this.tokenEndpoint = new TokenEndpoint(mint, callers, this.operations, settings.tokenHeader());
	}

	/**
	 * Wraps requests and responses, and ends exchanges.
	 * @return a filter for REQUEST and ASYNC dispatches
	 */
	public static Filter filter() {
		return new IdempotencyFilter();
	}

	/**
	 * Claims token and header keys.
	 * @return the interceptor
	 */
	public HandlerInterceptor interceptor() {
		return this.interceptor;
	}

	/**
	 * Writes refusals and replays.
	 * @return the resolver
	 */
	public HandlerExceptionResolver exceptionResolver() {
		return this.exceptionResolver;
	}

	/**
	 * Tells a client that a lock was not to be had.
	 * @return the resolver
	 */
	public HandlerExceptionResolver lockExceptionResolver() {
		return this.lockExceptionResolver;
	}

	/**
	 * Answer what the application's own handlers have left: a lock that was lost, and the
	 * failure of an operation that Spring MVC would take for a client that has
	 * disconnected.
	 * @return resolvers that stand before Spring MVC's default one
	 */
	public List<HandlerExceptionResolver> lastExceptionResolvers() {
		return List.of(this.lostLockResolver, new DisconnectedClientGuard(this.operations));
	}

	/**
	 * Hands the {@link io.idempotent.IdempotencyContext} to handler methods.
	 * @return the resolver
	 */
	public static HandlerMethodArgumentResolver argumentResolver() {
		return new IdempotencyContextArgumentResolver();
	}

	/**
	 * Issues tokens.
	 * @return a controller
	 */
	public TokenEndpoint tokenEndpoint() {
		return this.tokenEndpoint;
	}

	/**
	 * Checks the handler methods of a mapping, idempotent or not.
	 * @param bean the name of the mapping's bean
	 * @param mapping the mapping
	 * @throws InvalidAnnotationException if one of them is annotated and cannot work
	 */
	public void check(String bean, RequestMappingHandlerMapping mapping) {
		boolean intercepted = isIntercepted(mapping);
		for (HandlerMethod handler : mapping.getHandlerMethods().values()) {
			Operation operation = this.operations.find(handler);
			if (operation != null && !intercepted) {
				throw Operations.invalid(handler.getMethod(),
						"is mapped by the bean '" + bean + "', which does not have the interceptor of idempotent "
								+ "operations, so that nothing makes it idempotent",
						"Implement WebMvcConfigurer instead of extending WebMvcConfigurationSupport, and return a "
								+ "RequestMappingHandlerMapping of your own from a WebMvcRegistrations bean",
						null);
			}
		}
	}

	private static boolean isIntercepted(RequestMappingHandlerMapping mapping) {
		HandlerInterceptor @Nullable [] interceptors = mapping.getAdaptedInterceptors();
		return interceptors != null && Arrays.stream(interceptors)
			.map((interceptor) -> (interceptor instanceof MappedInterceptor mapped) ? mapped.getInterceptor()
					: interceptor)
			.anyMatch(IdempotencyInterceptor.class::isInstance);
	}

	/**
	 * The operations, checked so far, that give an answer to a caller who sends the same
	 * key or content again. Anonymous callers are one caller to them.
	 * @return their names, sorted
	 */
	public SortedSet<String> replayedByKey() {
		return this.operations.replayedByKey();
	}

	/**
	 * How tokens are made.
	 */
	public sealed interface Tokens {

		/**
		 * Tokens that the store knows.
		 *
		 * @param timeToLive how long a token may be used for the first time
		 */
		record Stored(Duration timeToLive) implements Tokens {
		}

		/**
		 * Tokens that are signed and need no store until they are used.
		 *
		 * @param timeToLive how long a token may be used for the first time
		 * @param activeKey the id of the key that signs
		 * @param secrets the secrets of all keys that are recognised, by their ids
		 * @param clock the wall clock
		 */
		record Signed(Duration timeToLive, String activeKey, Map<String, String> secrets,
				Clock clock) implements Tokens {
		}

		private TokenMint mint(IdempotencyGate gate, String namespace) {
			if (this instanceof Signed signed) {
				return new SignedTokens(namespace, signed.timeToLive(), signed.activeKey(), signed.secrets(),
						signed.clock());
			}
			return new StoredTokens(gate, namespace, ((Stored) this).timeToLive());
		}

	}

	/**
	 * What the application contributes.
	 *
	 * @param callers says who submits, or {@code null} for the principal
	 * @param classifier classifies answers, or {@code null}
	 * @param authorizer authorises replays, or {@code null}
	 * @param problems writes refusals, or {@code null} for ours
	 * @param messages the application's messages
	 * @param verifies whether there is an {@link io.idempotent.OutcomeVerifier}
	 */
	public record Collaborators(@Nullable CallerResolver callers, @Nullable OutcomeClassifier classifier,
			@Nullable ReplayAuthorizer authorizer, @Nullable ProblemRenderer problems, MessageSource messages,
			boolean verifies) {
	}

}
