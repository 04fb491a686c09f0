package io.idempotent.webmvc.internal;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Supplier;

import io.idempotent.administration.OperationCatalog;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.policy.OperationPolicies;
import io.idempotent.method.OperationNames;
import io.idempotent.support.StartUpException;
import io.idempotent.webmvc.CallerResolver;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.internal.description.DescriptionTexts;
import io.idempotent.webmvc.internal.description.HttpCatalog;
import io.idempotent.webmvc.internal.description.OperationDescriptions;
import io.idempotent.webmvc.internal.description.RequestPaths;
import io.idempotent.webmvc.internal.dispatch.ApiIdempotentMethodInterceptor;
import io.idempotent.webmvc.internal.dispatch.DisconnectedClientGuard;
import io.idempotent.webmvc.internal.dispatch.IdempotencyContextArgumentResolver;
import io.idempotent.webmvc.internal.dispatch.IdempotencyExceptionResolver;
import io.idempotent.webmvc.internal.dispatch.IdempotencyFilter;
import io.idempotent.webmvc.internal.dispatch.IdempotencyInterceptor;
import io.idempotent.webmvc.internal.dispatch.LockExceptionResolver;
import io.idempotent.webmvc.internal.dispatch.LostLockResolver;
import io.idempotent.webmvc.internal.dispatch.OperationHandlerAdapter;
import io.idempotent.webmvc.internal.key.CallerScope;
import io.idempotent.webmvc.internal.key.CallerTokens;
import io.idempotent.webmvc.internal.key.StoredTokens;
import io.idempotent.webmvc.internal.key.TokenEndpoint;
import io.idempotent.webmvc.internal.key.TokenMint;
import io.idempotent.webmvc.internal.key.TokenSettings;
import io.idempotent.webmvc.internal.operation.HandlerMappings;
import io.idempotent.webmvc.internal.operation.HandlerMappings.Handler;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.refusal.DefaultProblemRenderer;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import io.idempotent.webmvc.internal.submission.SubmissionReader;
import io.idempotent.webmvc.internal.submission.SubmissionServices;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.MessageSource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Creates and connects the parts that make handler methods idempotent. An application
 * that registers them itself needs all that this class creates: the {@link #filter()
 * filter} after the security filters, the {@link #interceptor() interceptor} after all
 * others, the {@link #exceptionResolver() exception resolver} before all others, and an
 * {@link io.idempotent.support.AnnotatedMethodAdvisor} with an
 * {@link ApiIdempotentMethodInterceptor}.
 */
public final class HttpIdempotency {

	/** After Spring Security's (-100) and before the application's filters. */
	public static final int DEFAULT_FILTER_ORDER = -50;

	private final Operations operations;

	private final HandlerMappings mappings;

	private final TokenMint mint;

	private final CallerTokens tokens;

	private final HttpSettings settings;

	private final IdempotencyInterceptor interceptor;

	private final HandlerExceptionResolver exceptionResolver;

	private final HandlerExceptionResolver lockExceptionResolver;

	private final HandlerExceptionResolver lostLockResolver;

	private final TokenEndpoint tokenEndpoint;

	private final OperationDescriptions descriptions;

	/**
	 * Creates the parts.
	 * @param gate the state machine
	 * @param settings the settings of all operations
	 * @param policies the policies of operations
	 * @param names the names of all operations
	 * @param tokens how form tokens are issued
	 * @param collaborators the beans of the application
	 * @param beans the bean factory of the controllers
	 */
	public HttpIdempotency(IdempotencyGate gate, HttpSettings settings, OperationPolicies policies,
			OperationNames names, TokenSettings tokens, Collaborators collaborators, BeanFactory beans) {
		TokenMint mint = tokens.mint(gate, settings.namespace());
		CallerResolver resolver = (collaborators.callers() != null) ? collaborators.callers()
				: CallerResolver::principal;
		CallerScope callers = new CallerScope(resolver, settings.bindToSession());
		ReplayAuthorizer authorizer = (collaborators.authorizer() != null) ? collaborators.authorizer()
				: (context, request) -> {
				};
		this.operations = new Operations(beans, policies, names, collaborators.verifies());
		this.mappings = new HandlerMappings(this.operations);
		this.mint = mint;
		this.tokens = new CallerTokens(mint, callers, this.operations, settings);
		this.settings = settings;
		ProblemRenderer problems = (collaborators.problems() != null) ? collaborators.problems()
				: new DefaultProblemRenderer(collaborators.messages(), settings, this.operations);
		RefusalWriter refusals = new RefusalWriter(problems, collaborators.messages());
		this.exceptionResolver = new IdempotencyExceptionResolver(refusals, gate, this.operations);
		this.interceptor = new IdempotencyInterceptor(this.operations, new SubmissionServices(gate, settings,
				new SubmissionReader(settings, callers, mint), collaborators.classifier(), authorizer, refusals));
		this.lockExceptionResolver = new LockExceptionResolver(problems);
		this.lostLockResolver = new LostLockResolver(problems);
		this.tokenEndpoint = new TokenEndpoint(this.tokens);
		this.descriptions = new OperationDescriptions(this.mappings, settings,
				new DescriptionTexts(collaborators.messages()),
				(problems instanceof DefaultProblemRenderer own) ? own : null, mint instanceof StoredTokens);
	}

	/**
	 * Wraps requests and responses, and finishes submissions.
	 * @return a filter for REQUEST and ASYNC dispatches
	 */
	public static Filter filter() {
		return new IdempotencyFilter();
	}

	/**
	 * Claims the keys of submissions, unless that has to wait for the call.
	 */
	public HandlerInterceptor interceptor() {
		return this.interceptor;
	}

	/**
	 * Lets handler methods read the body even if other filters serve it only once.
	 * @param adapters all adapters of Spring MVC in their order, this one included
	 */
	public HandlerAdapter handlerAdapter(Supplier<List<HandlerAdapter>> adapters) {
		return new OperationHandlerAdapter(this.operations, adapters);
	}

	/**
	 * Writes refusals and replays.
	 */
	public HandlerExceptionResolver exceptionResolver() {
		return this.exceptionResolver;
	}

	/**
	 * Writes the problem of a request whose lock was not obtained.
	 */
	public HandlerExceptionResolver lockExceptionResolver() {
		return this.lockExceptionResolver;
	}

	/**
	 * Handle exceptions that the application does not: a lost lock, and the failure of an
	 * operation that Spring MVC would regard as a disconnected client.
	 * @return resolvers to register before Spring MVC's default one
	 */
	public List<HandlerExceptionResolver> lastExceptionResolvers() {
		return List.of(this.lostLockResolver, new DisconnectedClientGuard(this.operations));
	}

	/**
	 * Resolves {@link io.idempotent.IdempotencyContext} arguments of handler methods.
	 */
	public static HandlerMethodArgumentResolver argumentResolver() {
		return new IdempotencyContextArgumentResolver();
	}

	/**
	 * Issues tokens to the code of the application.
	 * @return a bean
	 */
	public CallerTokens tokens() {
		return this.tokens;
	}

	/**
	 * The handler methods of the mappings that were {@linkplain #check checked}, and of
	 * those that were added later.
	 */
	public Collection<Handler> handlers() {
		return this.mappings.handlers();
	}

	/**
	 * Issues tokens to clients.
	 * @return a controller
	 */
	public TokenEndpoint tokenEndpoint() {
		return this.tokenEndpoint;
	}

	/**
	 * The settings of all operations.
	 */
	public HttpSettings settings() {
		return this.settings;
	}

	/**
	 * Checks the handler methods of a mapping.
	 * @param bean the name of the mapping's bean
	 * @param mapping the mapping
	 * @throws StartUpException if one of them has an invalid annotation
	 */
	public void check(String bean, RequestMappingHandlerMapping mapping) {
		this.mappings.add(mapping);
		boolean intercepted = isIntercepted(mapping);
		mapping.getHandlerMethods().forEach((info, handler) -> {
			if (this.operations.find(handler, info) != null && !intercepted) {
				throw Operations.invalid(handler.getMethod(),
						"is mapped by the bean '" + bean + "', which does not have the interceptor of idempotent "
								+ "operations, so that nothing makes it idempotent",
						"Implement WebMvcConfigurer instead of extending WebMvcConfigurationSupport, and return "
								+ "your RequestMappingHandlerMapping from a WebMvcRegistrations bean",
						null);
			}
		});
	}

	/**
	 * Whether a handler method is an operation for the requests that are mapped to it.
	 * @param handler the handler method
	 * @param info the requests
	 * @return whether at least one of them is idempotent
	 */
	public boolean isOperation(HandlerMethod handler, RequestMappingInfo info) {
		return this.operations.find(handler, info) != null;
	}

	private static boolean isIntercepted(RequestMappingHandlerMapping mapping) {
		HandlerInterceptor @Nullable [] interceptors = mapping.getAdaptedInterceptors();
		return interceptors != null && Arrays.stream(interceptors)
			.map((interceptor) -> (interceptor instanceof MappedInterceptor mapped) ? mapped.getInterceptor()
					: interceptor)
			.anyMatch(IdempotencyInterceptor.class::isInstance);
	}

	/**
	 * The operations, checked so far, that replay their response to a caller who sends
	 * the same key or content again. All anonymous callers count as one.
	 * @return their names, sorted
	 */
	public SortedSet<String> replayedByKey() {
		return this.operations.replayedByKey();
	}

	/**
	 * The operations of the mappings that were {@linkplain #check checked}, and their
	 * keys.
	 * @param contextPath the path of the application, or an empty text
	 * @param servletPath the path of Spring MVC within the application, or an empty text
	 */
	public OperationCatalog catalog(Supplier<String> contextPath, Supplier<String> servletPath) {
		return new HttpCatalog(this.mappings::all, new RequestPaths(contextPath, servletPath), this.mint,
				this.settings);
	}

	/**
	 * Describes the operations of the mappings that were {@linkplain #check checked} to
	 * their callers.
	 */
	public OperationDescriptions descriptions() {
		return this.descriptions;
	}

	/**
	 * The beans of the application.
	 *
	 * @param callers resolves the caller, or {@code null} for the principal
	 * @param classifier classifies responses, or {@code null}
	 * @param authorizer authorises replays, or {@code null}
	 * @param problems writes refusals, or {@code null} for the default
	 * @param messages the application's messages
	 * @param verifies whether there is an {@link io.idempotent.OutcomeVerifier}
	 */
	public record Collaborators(@Nullable CallerResolver callers, @Nullable OutcomeClassifier classifier,
			@Nullable ReplayAuthorizer authorizer, @Nullable ProblemRenderer problems, MessageSource messages,
			boolean verifies) {
	}

}
