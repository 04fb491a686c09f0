package io.idempotent.modulith;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Collectors;

import io.idempotent.method.MessageIdentity;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.util.ClassUtils;

/**
 * The publication of an event to a listener. It is made in the transaction of its
 * publisher, and delivered until its listener has returned.
 */
public final class EventPublicationIdentity implements MessageIdentity {

	/** Spring Modulith 1.4 does not report that it delivers an event. */
	private static final boolean REPORTED = ClassUtils.hasAtLeastOneMethodWithName(EventPublicationRegistry.class,
			"markProcessing");

	private final EventPublications publications = new EventPublications();

	/** Observes the publications. An infrastructure bean, to apply to the registry. */
	public Advisor advisor() {
		return new EventPublicationObserver(this.publications).advisor();
	}

	/** The methods that Spring Modulith keeps publications for. */
	@Override
	public boolean supports(Method method) {
		TransactionalEventListener annotation = AnnotatedElementUtils.findMergedAnnotation(method,
				TransactionalEventListener.class);
		return annotation != null && annotation.phase() == TransactionPhase.AFTER_COMMIT
				&& method.getParameterCount() > 0;
	}

	@Override
	public @Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments) {
		Object event = arguments[0];
		if (!REPORTED && event != null) {
			this.publications.delivered(event, listener(method));
		}
		UUID publication = this.publications.current(event);
		return (publication != null) ? Identity.of(publication.toString()) : null;
	}

	/** As Spring names it, unless its annotation does. */
	private static PublicationTargetIdentifier listener(Method method) {
		TransactionalEventListener annotation = AnnotatedElementUtils.findMergedAnnotation(method,
				TransactionalEventListener.class);
		if (annotation != null && !annotation.id().isEmpty()) {
			return PublicationTargetIdentifier.of(annotation.id());
		}
		String parameters = Arrays.stream(method.getParameterTypes())
			.map(Class::getName)
			.collect(Collectors.joining(",", "(", ")"));
		return PublicationTargetIdentifier.of(ClassUtils.getQualifiedMethodName(method) + parameters);
	}

	@Override
	public String description() {
		return "the publication of the event in Spring Modulith's registry";
	}

}
