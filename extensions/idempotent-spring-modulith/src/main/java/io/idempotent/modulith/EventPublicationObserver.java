package io.idempotent.modulith;

import java.util.Collection;
import java.util.Objects;
import java.util.function.Consumer;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

/**
 * Observes the registry of Spring Modulith: which publications it stores, redelivers and
 * delivers. A delivery is reported on the thread of the listener, right before the call.
 */
record EventPublicationObserver(EventPublications publications) implements MethodInterceptor {

	Advisor advisor() {
		NameMatchMethodPointcutAdvisor advisor = new NameMatchMethodPointcutAdvisor(this);
		advisor.setClassFilter(new RootClassFilter(EventPublicationRegistry.class));
		advisor.setMappedNames("store", "markProcessing", "markCompleted", "processIncompletePublications",
				"processFailedPublications");
		return advisor;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		@Nullable Object[] arguments = invocation.getArguments();
		switch (invocation.getMethod().getName()) {
			case "markProcessing" -> this.publications.delivered(Objects.requireNonNull(arguments[0]),
					(PublicationTargetIdentifier) Objects.requireNonNull(arguments[1]));
			case "markCompleted" -> this.publications.completed(Objects.requireNonNull(arguments[0]),
					(PublicationTargetIdentifier) Objects.requireNonNull(arguments[1]));
			case "store" -> {
				// Its arguments are those of the application, also a Consumer.
			}
			default -> observeConsumer(arguments);
		}
		Object result = invocation.proceed();
		if (result instanceof Collection<?> stored) {
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
