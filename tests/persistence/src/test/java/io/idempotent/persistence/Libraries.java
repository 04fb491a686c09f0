package io.idempotent.persistence;

import java.util.Map;

/**
 * The libraries of an application.
 *
 * @param byName the libraries by name
 */
record Libraries(Map<String, Library> byName) {

	Library get(String name) {
		Library library = this.byName.get(name);
		if (library == null) {
			throw new IllegalArgumentException(name);
		}
		return library;
	}

}
