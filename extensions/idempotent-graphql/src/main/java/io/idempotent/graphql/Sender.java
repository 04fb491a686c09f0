package io.idempotent.graphql;

import java.util.List;
import java.util.function.Function;

/**
 * Who sent a document over HTTP, read on the thread of the request.
 *
 * @param keys the values of the key header
 * @param caller gives the parts of the caller in a key of an operation, or refuses
 */
record Sender(List<String> keys, Function<String, List<String>> caller) {

	Sender {
		keys = List.copyOf(keys);
	}

}
