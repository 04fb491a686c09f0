package io.idempotent.modulith;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

/**
 * Finds the publication that is delivered to a listener of Spring Modulith. A listener
 * gets only the event, not its publication, and equal events may have several
 * publications. So events are compared by identity, and kept weakly: a publication whose
 * transaction is rolled back is never delivered.
 */
final class EventPublications {

	private final Map<Target, Deque<UUID>> waiting = new ConcurrentHashMap<>();

	private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

	// Not static, so that applications in one JVM do not share it. Replaced by the next
	// delivery on the thread.
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Delivery> current = new ThreadLocal<>();

	void published(TargetEventPublication publication) {
		removeCollected();
		Target target = new Target(new EventReference(publication.getEvent(), this.collected),
				publication.getTargetIdentifier());
		this.waiting.compute(target, (same, found) -> {
			Deque<UUID> identifiers = (found != null) ? found : new ArrayDeque<>();
			identifiers.push(publication.getIdentifier());
			return identifiers;
		});
	}

	/** A listener on this thread is given an event. */
	void delivered(Object event, PublicationTargetIdentifier target) {
		AtomicReference<@Nullable UUID> publication = new AtomicReference<>();
		this.waiting.computeIfPresent(new Target(new EventReference(event, null), target), (same, found) -> {
			publication.set(found.poll());
			return found.isEmpty() ? null : found;
		});
		UUID identifier = publication.get();
		if (identifier != null) {
			this.current.set(new Delivery(new WeakReference<>(event), target, identifier));
		}
		else if (!isCurrent(event, target)) {
			this.current.remove();
		}
	}

	/** Until then, another delivery on this thread is a retry ({@code @Retryable}). */
	void completed(Object event, PublicationTargetIdentifier target) {
		if (isCurrent(event, target)) {
			this.current.remove();
		}
	}

	private boolean isCurrent(Object event, PublicationTargetIdentifier target) {
		Delivery delivery = this.current.get();
		return delivery != null && delivery.event().refersTo(event) && delivery.listener().equals(target);
	}

	/** The publication of an event that is being delivered on this thread, if any. */
	@Nullable UUID current(@Nullable Object event) {
		Delivery delivery = this.current.get();
		return (delivery != null && event != null && delivery.event().refersTo(event)) ? delivery.publication() : null;
	}

	int size() {
		return this.waiting.size();
	}

	private void removeCollected() {
		if (this.collected.poll() == null) {
			return;
		}
		while (this.collected.poll() != null) {
			// One pass is enough for all.
		}
		this.waiting.keySet().removeIf((target) -> target.event().refersTo(null));
	}

	private record Delivery(WeakReference<Object> event, PublicationTargetIdentifier listener, UUID publication) {
	}

	private record Target(EventReference event, PublicationTargetIdentifier listener) {
	}

	private static final class EventReference extends WeakReference<Object> {

		private final int hash;

		EventReference(Object event, @Nullable ReferenceQueue<Object> collected) {
			super(event, collected);
			this.hash = System.identityHashCode(event);
		}

		@Override
		public boolean equals(@Nullable Object other) {
			if (this == other) {
				return true;
			}
			Object event = get();
			return event != null && other instanceof EventReference that && that.refersTo(event);
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

}
