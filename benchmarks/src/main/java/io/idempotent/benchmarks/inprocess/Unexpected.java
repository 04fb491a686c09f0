package io.idempotent.benchmarks.inprocess;

import java.lang.reflect.Proxy;

/**
 * Stands below what is lean and fails on every call that gets there.
 */
final class Unexpected {

	private Unexpected() {
	}

	static <T> T any(Class<T> type) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				throw new UnsupportedOperationException("Not foreseen: " + method);
			}));
	}

}
