package io.idempotent.benchmarks.lock;

import java.io.Closeable;
import java.io.IOException;

/**
 * A server that was started for these contests.
 *
 * @param address where it is, see {@link Kind}
 * @param stop ends it
 */
record Server(String address, Closeable stop) implements Closeable {

	@Override
	public void close() throws IOException {
		this.stop.close();
	}

}
