package io.idempotent.method.json;

import java.io.OutputStream;
import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

/**
 * Writes and reads JSON for calls. An interface, because Jackson 2 does so as Jackson 3
 * does, and an application may have neither.
 */
public interface CallJson {

	/** Throws, naming type and reason, if a result could not be read from its JSON. */
	ResultType resultType(Type type);

	/**
	 * The same on every node, whatever the application configures for its own JSON.
	 * @throws IllegalArgumentException if the content is empty or cannot be written
	 */
	byte[] writeKey(Object content);

	/** Both methods throw a {@link RuntimeException} of their own if they fail. */
	interface ResultType {

		/** An exception of the stream ends the writing. */
		void write(Object result, OutputStream out);

		@Nullable Object read(byte[] json, int offset);

	}

}
