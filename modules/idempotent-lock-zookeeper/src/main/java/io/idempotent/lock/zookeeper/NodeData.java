package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The data of a node, which its holder writes when it creates the node and with each
 * renewal: the mode, and the name of the holder's node for operators. The data of a
 * writer becomes that of a reader when its lock is downgraded, since a node cannot change
 * its name without losing its place.
 */
final class NodeData {

	private static final String EXCLUSIVE = "exclusive";

	private static final String SHARED = "shared";

	private static final Pattern PRINTABLE = Pattern.compile("[!-~]{1,64}");

	private final byte[] exclusive;

	private final byte[] shared;

	/**
	 * Creates the data of one node.
	 * @param node the name of this node, or an empty text
	 */
	NodeData(String node) {
		String suffix = node.isEmpty() ? "" : ":" + node;
		this.exclusive = (EXCLUSIVE + suffix).getBytes(StandardCharsets.US_ASCII);
		this.shared = (SHARED + suffix).getBytes(StandardCharsets.US_ASCII);
	}

	byte[] of(boolean shared) {
		return shared ? this.shared : this.exclusive;
	}

	static boolean isShared(byte @Nullable [] data) {
		String text = text(data);
		return text.equals(SHARED) || text.startsWith(SHARED + ":");
	}

	/**
	 * The name of the holder's node.
	 * @param data the data of a node
	 * @return the name, or the host address that Curator's own recipes write;
	 * {@code null} if there is neither
	 */
	static @Nullable String node(byte @Nullable [] data) {
		String text = text(data);
		for (String mode : new String[] { EXCLUSIVE, SHARED }) {
			if (text.equals(mode)) {
				return null;
			}
			if (text.startsWith(mode + ":")) {
				return text.substring(mode.length() + 1);
			}
		}
		return PRINTABLE.matcher(text).matches() ? text : null;
	}

	private static String text(byte @Nullable [] data) {
		return (data != null) ? new String(data, StandardCharsets.US_ASCII) : "";
	}

}
