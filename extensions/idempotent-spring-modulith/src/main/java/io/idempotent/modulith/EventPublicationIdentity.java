package io.idempotent.modulith;

import java.lang.reflect.Method;
import java.util.UUID;

import io.idempotent.method.MessageIdentity;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * The publication of an event to a listener. It is made in the transaction of its
 * publisher, and delivered until its listener has returned.
 */
public final class EventPublicationIdentity implements MessageIdentity {

	private final EventPublications publications = new EventPublications();

	/** Observes the publications. An infrastructure bean, to apply to the registry. */
	public Advisor advisor() {
		return new EventPublicationAdvisor(this.publications);
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
		UUID publication = this.publications.current(arguments[0]);
		return (publication != null) ? Identity.of(publication.toString()) : null;
	}

	@Override
	public String description() {
		return "the publication of the event in Spring Modulith's registry";
	}

}
