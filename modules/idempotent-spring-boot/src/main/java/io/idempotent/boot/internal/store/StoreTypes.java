package io.idempotent.boot.internal.store;

import java.util.Locale;

import io.idempotent.store.IdempotencyStore;

import org.springframework.util.ClassUtils;

/**
 * The types of stores, as in the property {@code idempotent.store.type}.
 */
public final class StoreTypes {

	private static final String SUFFIX = IdempotencyStore.class.getSimpleName();

	private StoreTypes() {
	}

	/** For a store of the application, the name of its class. */
	public static String of(IdempotencyStore store) {
		Class<?> type = ClassUtils.getUserClass(store);
		String name = type.getSimpleName();
		boolean ours = type.getPackageName().startsWith("io.idempotent.") && name.endsWith(SUFFIX);
		return ours ? name.substring(0, name.length() - SUFFIX.length()).toLowerCase(Locale.ROOT) : name;
	}

}
