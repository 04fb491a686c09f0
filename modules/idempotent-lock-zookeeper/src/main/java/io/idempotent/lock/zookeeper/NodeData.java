package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The data of a node, which its holder writes with each renewal. That of a writer becomes
 * that of a reader when its lock is downgraded, since a node cannot change its name
 * without losing its place.
 */
final class NodeData {

	private static final byte[] EXCLUSIVE = new byte[0];

	private static final byte[] SHARED = "shared".getBytes(StandardCharsets.US_ASCII);

	private NodeData() {
	}

	static byte[] of(boolean shared) {
		return shared ? SHARED : EXCLUSIVE;
	}

	static boolean isShared(byte @Nullable [] data) {
		return Arrays.equals(data, SHARED);
	}

}
