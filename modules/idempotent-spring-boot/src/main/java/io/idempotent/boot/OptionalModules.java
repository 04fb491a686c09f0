package io.idempotent.boot;

import org.springframework.util.ClassUtils;

/**
 * The modules of this library that an application may have or not.
 */
public final class OptionalModules {

	private OptionalModules() {
	}

	/**
	 * Whether a module is on the class path.
	 * @param type the name of one of its classes
	 * @return whether that class is there
	 */
	public static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, OptionalModules.class.getClassLoader());
	}

}
