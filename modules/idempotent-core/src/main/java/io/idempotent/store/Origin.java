package io.idempotent.store;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Pattern;

import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * Where a run of an operation comes from. For operators and traces only.
 *
 * @param application the application, as {@link #application(String)} names it
 * @param operation the name of the operation
 * @param node the name of the node that made the claim
 * @param traceparent the W3C {@code traceparent} of the run, or {@code null}
 * @param claimedAt when the claim was requested, by the clock of that node
 */
public record Origin(String application, String operation, String node, @Nullable String traceparent,
		Instant claimedAt) {

	/** The longest name of a node. */
	public static final int MAX_NODE_LENGTH = 64;

	/** The longest text that {@link #encoded()} returns, in characters. */
	public static final int MAX_ENCODED_LENGTH = 420;

	private static final int MAX_OPERATION_LENGTH = 255;

	private static final Pattern APPLICATION = Pattern.compile("[A-Za-z0-9_-]{12}");

	private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

	private static final String VERSION = "1";

	private static final String NONE = "-";

	/** Checks the node, and drops a trace that is not in the format of the W3C. */
	public Origin {
		requireNode(node);
		traceparent = (traceparent != null && TRACEPARENT.matcher(traceparent).matches()) ? traceparent : null;
	}

	/**
	 * Checks the name of a node.
	 * @throws IllegalArgumentException if it is empty, too long, or not printable ASCII
	 * without spaces
	 */
	public static String requireNode(String node) {
		// For each request, where a pattern costs many times as much in a new JVM.
		boolean valid = !node.isEmpty() && node.length() <= MAX_NODE_LENGTH;
		for (int i = 0; valid && i < node.length(); i++) {
			valid = node.charAt(i) >= '!' && node.charAt(i) <= '~';
		}
		if (!valid) {
			throw new IllegalArgumentException("The name of a node has 1 to " + MAX_NODE_LENGTH
					+ " printable ASCII characters without spaces, but idempotent.node is '" + node + "'");
		}
		return node;
	}

	/**
	 * The name of an application in origins, a short hash of its namespace, so that
	 * operators of one application do not settle records of another one in the same
	 * store.
	 */
	public static String application(String namespace) {
		return Digest.sha256().add(namespace).build().toString();
	}

	/** One line of at most {@value #MAX_ENCODED_LENGTH} characters, for stores. */
	public String encoded() {
		String name = (this.operation.length() > MAX_OPERATION_LENGTH)
				? this.operation.substring(0, MAX_OPERATION_LENGTH) : this.operation;
		return VERSION + ' ' + this.claimedAt.toEpochMilli() + ' ' + this.application + ' ' + this.node + ' '
				+ ((this.traceparent != null) ? this.traceparent : NONE) + ' ' + name;
	}

	/**
	 * Reads the result of {@link #encoded()}, or anything else.
	 * @return the origin, or {@code null} if this version cannot read it
	 */
	public static @Nullable Origin decode(@Nullable String text) {
		String[] parts = (text != null) ? text.split(" ", 6) : new String[0];
		if (parts.length != 6 || !parts[0].equals(VERSION) || !APPLICATION.matcher(parts[2]).matches()) {
			return null;
		}
		try {
			return new Origin(parts[2], parts[5], parts[3], parts[4].equals(NONE) ? null : parts[4],
					Instant.ofEpochMilli(Long.parseLong(parts[1])));
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			return null;
		}
	}

}
