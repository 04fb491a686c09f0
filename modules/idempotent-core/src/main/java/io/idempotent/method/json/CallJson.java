package io.idempotent.method.json;

import java.io.OutputStream;
import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

/**
 * Writes and reads JSON for calls. An interface, because Jackson's databind is optional.
 */
public interface CallJson {

	/**
	 * Prepares a type of results.
	 * @param type the type of results
	 * @return writes and reads results of that type
	 * @throws IllegalArgumentException naming the type and the reason, if a result could
	 * not be restored from its JSON
	 */
	ResultType resultType(Type type);

	/**
	 * Writes the content of a key, the same on every node and whatever the application
	 * configures for its own JSON.
	 * @param content the content
	 * @return its JSON, in UTF-8
	 * @throws IllegalArgumentException if it cannot be written or has no properties
	 */
	byte[] writeKey(Object content);

	/**
	 * A type of results. Both methods throw a {@link RuntimeException} of their own if
	 * they fail.
	 */
	interface ResultType {

		/**
		 * Writes a result.
		 * @param result the result
		 * @param out where to; an exception that it throws ends the writing
		 */
		void write(Object result, OutputStream out);

		/**
		 * Reads a result.
		 * @param json what was written
		 * @param offset where it starts
		 */
		@Nullable Object read(byte[] json, int offset);

	}

}
