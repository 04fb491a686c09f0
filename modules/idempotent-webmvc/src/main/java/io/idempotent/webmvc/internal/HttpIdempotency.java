package io.idempotent.webmvc.internal;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.method.OperationNames;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.webmvc.CallerResolver;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.internal.dispatch.ApiIdempotentMethodInterceptor;
import io.idempotent.webmvc.internal.dispatch.DisconnectedClientResolver;
import io.idempotent.webmvc.internal.dispatch.IdempotencyExceptionResolver;
import io.idempotent.webmvc.internal.dispatch.IdempotencyHandlerInterceptor;
import io.idempotent.webmvc.internal.dispatch.LockExceptionResolver;
import io.idempotent.webmvc.internal.dispatch.OperationHandlerAdapter;
import io.idempotent.webmvc.internal.key.CallerScope;
import io.idempotent.webmvc.internal.key.DefaultIdempotencyTokens;
import io.idempotent.webmvc.internal.key.TokenEndpoint;
import io.idempotent.webmvc.internal.key.TokenService;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.operation.Operations;
import io.idempotent.webmvc.internal.refusal.DefaultProblemRenderer;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import io.idempotent.webmvc.internal.submission.HttpSubmission;
import io.idempotent.webmvc.internal.submission.SubmissionReader;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.MessageSource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Creates and connects the parts that share operations, settings and services.
 * {@code IdempotencyWebMvcAutoConfiguration} registers them:
 * <ul>
 * <li>the interceptor, after all others</li>
 * <li>the handler adapter, before all others</li>
 * <li>the exception resolvers: those of refusals and of locks before all others, and the
 * {@linkplain #lastExceptionResolvers() last ones} before Spring MVC's default</li>
 * <li>the token endpoint, if tokens are enabled</li>
 * </ul>
 * and creates what shares nothing: the filter, after the security filters; the argument
 * resolver for an {@code IdempotencyContext}; and an advisor, outside transactions, for
 * {@link ApiIdempotentMethodInterceptor}, which needs a
 * {@link io.idempotent.support.TargetInterceptor} inside.
 */
public final class HttpIdempotency {

	private final Operations operations;

	private final Set<RequestMappingHandlerMapping> checked = new CopyOnWriteArraySet<>();

	private final DefaultIdempotencyTokens tokens;

	private final ProblemRenderer problems;

	private final HttpSubmission.HttpServices services;

	private final IdempotencyHandlerInterceptor interceptor;

	public HttpIdempotency(IdempotencyGate gate, HttpSettings settings, OperationPolicies policies,
			OperationNames names, TokenService tokens, Collaborators collaborators, BeanFactory beans) {
		this.operations = new Operations(beans, policies, names, collaborators.verifies());
		CallerScope callers = new CallerScope(
				(collaborators.callers() != null) ? collaborators.callers() : CallerResolver::principal,
				settings.bindToSession());
		this.tokens = new DefaultIdempotencyTokens(tokens, callers, this.operations, settings);
		DefaultProblemRenderer renderer = new DefaultProblemRenderer(collaborators.messages(), settings,
				this.operations);
		this.problems = (collaborators.problems() != null) ? renderer.withDefaultTexts(collaborators.problems())
				: renderer;
		this.services = new HttpSubmission.HttpServices(gate, settings, new SubmissionReader(settings, callers, tokens),
				collaborators.classifier(), collaborators.authorizer(),
				new RefusalWriter(this.problems, collaborators.messages()));
		this.interceptor = new IdempotencyHandlerInterceptor(this.operations, this.services);
	}

	/** Claims the keys of submissions, unless that has to wait for the call. */
	public HandlerInterceptor interceptor() {
		return this.interceptor;
	}

	/** Lets handler methods read the body even if other filters serve it only once. */
	public HandlerAdapter handlerAdapter(Supplier<List<HandlerAdapter>> adapters) {
		return new OperationHandlerAdapter(this.operations, adapters);
	}

	public HandlerExceptionResolver exceptionResolver() {
		return new IdempotencyExceptionResolver(this.services.refusals(), this.services.gate(), this.operations);
	}

	public HandlerExceptionResolver lockExceptionResolver() {
		return new LockExceptionResolver(this.services.refusals());
	}

	/** A lost lock, and a failure that Spring MVC would take for a lost connection. */
	public List<HandlerExceptionResolver> lastExceptionResolvers() {
		return List.of(new LockExceptionResolver(this.services.refusals())::resolveLostLock,
				new DisconnectedClientResolver(this.operations));
	}

	public DefaultIdempotencyTokens tokens() {
		return this.tokens;
	}

	public HttpSettings settings() {
		return this.services.settings();
	}

	public ProblemRenderer problems() {
		return this.problems;
	}

	public RefusalWriter refusals() {
		return this.services.refusals();
	}

	/** Fails if the mapping has a handler method with an invalid annotation. */
	public void check(String bean, RequestMappingHandlerMapping mapping) {
		this.checked.add(mapping);
		boolean intercepted = isIntercepted(mapping);
		mapping.getHandlerMethods().forEach((info, handler) -> {
			if (isOperation(handler, info) && !intercepted) {
				throw Operations.invalid(handler.getMethod(),
						"is mapped by the bean '" + bean + "', which does not have the interceptor of idempotent "
								+ "operations, so that nothing makes it idempotent",
						"Implement WebMvcConfigurer instead of extending WebMvcConfigurationSupport, and return "
								+ "your RequestMappingHandlerMapping from a WebMvcRegistrations bean");
			}
		});
	}

	/** Only where the application's interceptors, which may refuse a caller, apply. */
	public void serveTokens(TokenEndpoint endpoint, String path, RequestMappingHandlerMapping mapping) {
		if (isIntercepted(mapping)) {
			endpoint.register(mapping, path);
		}
	}

	public boolean isOperation(HandlerMethod handler, RequestMappingInfo info) {
		return this.operations.find(handler, info) != null;
	}

	private static boolean isIntercepted(RequestMappingHandlerMapping mapping) {
		HandlerInterceptor @Nullable [] interceptors = mapping.getAdaptedInterceptors();
		return interceptors != null && Arrays.stream(interceptors)
			.map((each) -> (each instanceof MappedInterceptor mapped) ? mapped.getInterceptor() : each)
			.anyMatch(IdempotencyHandlerInterceptor.class::isInstance);
	}

	/** All handler methods of the {@linkplain #check checked} mappings. */
	public Collection<Handler> handlers() {
		return mapped()
			.map((known) -> new Handler(known.getKey(), this.operations.find(known.getValue(), known.getKey())))
			.toList();
	}

	/** {@code null} if it is no operation or not mapped. */
	public @Nullable Operation find(HandlerMethod handler) {
		return mapped()
			.filter((known) -> known.getValue().getMethod().equals(handler.getMethod())
					&& known.getValue().getBeanType().equals(handler.getBeanType()))
			.flatMap((known) -> Stream.ofNullable(this.operations.find(known.getValue(), known.getKey())))
			.findFirst()
			.orElse(null);
	}

	/** {@code null} if no request with this HTTP method maps to the operation. */
	public @Nullable Operation find(String name, String method) {
		return mapped().flatMap((known) -> Stream.ofNullable(this.operations.find(known.getValue(), method)))
			.filter((operation) -> operation.name().equals(name))
			.findFirst()
			.orElse(null);
	}

	/** At present: an application may add mappings while it runs. */
	private Stream<Map.Entry<RequestMappingInfo, HandlerMethod>> mapped() {
		return this.checked.stream().flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream());
	}

	/** The operations checked so far. All anonymous callers count as one. */
	public SortedSet<String> replayedByKey() {
		return this.operations.replayedByKey();
	}

	/** A handler method, and its operation if it is idempotent. */
	public record Handler(RequestMappingInfo info, @Nullable Operation operation) {
	}

	/** The beans of the application. {@code verifies} stands for an outcome verifier. */
	public record Collaborators(@Nullable CallerResolver callers, @Nullable OutcomeClassifier classifier,
			@Nullable ReplayAuthorizer authorizer, @Nullable ProblemRenderer problems, MessageSource messages,
			boolean verifies) {

	}

}
