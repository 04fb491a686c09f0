package io.idempotent.http;

import java.io.IOException;

import jakarta.servlet.http.HttpServletResponse;

/**
 * What a handler does with its response.
 */
@FunctionalInterface
interface Answer {

	void write(HttpServletResponse response) throws IOException;

}
