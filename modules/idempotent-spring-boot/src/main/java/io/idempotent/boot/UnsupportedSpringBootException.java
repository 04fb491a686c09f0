package io.idempotent.boot;

import java.io.Serial;

/**
 * Thrown if the version of Spring Boot is too old.
 */
class UnsupportedSpringBootException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	UnsupportedSpringBootException(String found) {
		super("idempotent-spring-boot-starter needs Spring Boot 4.1 or newer, but this application runs on Spring Boot "
				+ found);
	}

}
