package io.idempotent.transaction;

import java.util.Map;

import org.springframework.transaction.support.ResourceHolderSupport;

/** What a transaction bound to the thread when it started, such as a connection. */
final class BoundResources {

	private final Map<Object, Object> resources;

	/** Nobody else changes the map. */
	BoundResources(Map<Object, Object> resources) {
		this.resources = resources;
	}

	boolean containsKey(Object resource) {
		return this.resources.containsKey(resource);
	}

	boolean contains(Object resource, Object value) {
		return this.resources.get(resource) == value;
	}

	boolean containsValue(Object value) {
		return this.resources.values().stream().anyMatch((each) -> each == value);
	}

	/** Whether there are resources, and all of them are still bound. */
	boolean areBound() {
		return !this.resources.isEmpty() && this.resources.entrySet()
			.stream()
			.allMatch((resource) -> ThreadTransactions.bound(resource.getKey()) == resource.getValue());
	}

	/** Whether a transaction, even a suspended one, still uses one of them. */
	boolean isAnyInUse() {
		return this.resources.values()
			.stream()
			.anyMatch((each) -> each instanceof ResourceHolderSupport holder && holder.isSynchronizedWithTransaction());
	}

}
