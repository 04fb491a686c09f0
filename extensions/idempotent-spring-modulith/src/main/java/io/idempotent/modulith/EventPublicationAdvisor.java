package io.idempotent.modulith;

import java.io.Serial;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

/**
 * Observes the registry of Spring Modulith: which publications it stores, redelivers and
 * delivers. A delivery is reported on the thread of the listener, right before the call.
 */
final class EventPublicationAdvisor extends StaticMethodMatcherPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	private static final String STORE = "store";

	private static final String MARK_PROCESSING = "markProcessing";

	private static final String MARK_COMPLETED = "markCompleted";

	private static final Set<String> DELIVER_AGAIN = Set.of("processIncompletePublications",
			"processFailedPublications");

	private final transient EventPublications publications;

	EventPublicationAdvisor(EventPublications publications) {
		this.publications = publications;
	}

	@Override
	public boolean matches(Method method, Class<?> type) {
		String name = method.getName();
		return EventPublicationRegistry.class.isAssignableFrom(type) && (name.equals(STORE)
				|| name.equals(MARK_PROCESSING) || name.equals(MARK_COMPLETED) || DELIVER_AGAIN.contains(name));
	}

	@Override
	public Advice getAdvice() {
		return (MethodInterceptor) this::observe;
	}

	private @Nullable Object observe(MethodInvocation invocation) throws Throwable {
		@Nullable Object[] arguments = invocation.getArguments();
		String method = invocation.getMethod().getName();
		if (method.equals(MARK_PROCESSING)) {
			this.publications.delivered(Objects.requireNonNull(arguments[0]),
					(PublicationTargetIdentifier) Objects.requireNonNull(arguments[1]));
		}
		else if (method.equals(MARK_COMPLETED)) {
			this.publications.completed(Objects.requireNonNull(arguments[0]),
					(PublicationTargetIdentifier) Objects.requireNonNull(arguments[1]));
		}
		else if (DELIVER_AGAIN.contains(method)) {
			observeConsumer(arguments);
		}
		Object result = invocation.proceed();
		if (method.equals(STORE) && result instanceof Collection<?> stored) {
			stored.forEach(this::published);
		}
		return result;
	}

	@SuppressWarnings("unchecked") // so the methods are declared
	private void observeConsumer(@Nullable Object[] arguments) {
		for (int i = 0; i < arguments.length; i++) {
			if (arguments[i] instanceof Consumer<?> consumer) {
				arguments[i] = ((Consumer<TargetEventPublication>) this::published)
					.andThen((Consumer<TargetEventPublication>) consumer);
			}
		}
	}

	private void published(Object publication) {
		if (publication instanceof TargetEventPublication target) {
			this.publications.published(target);
		}
	}

}
