package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The names of nodes, and their data: the name of the holder's node, for operators,
 * written at creation and with each renewal.
 */
final class NodeFormat {

	/** As in Curator's recipes. */
	static final String SEQUENCE_PREFIX = "lock-";

	/** For Curator's mutex a reader is one more node before its own. */
	static final String READER_PREFIX = "read-" + SEQUENCE_PREFIX;

	private static final Pattern PRINTABLE = Pattern.compile("[ -~]{1,255}");

	private NodeFormat() {
	}

	static byte[] data(String holder) {
		return holder.getBytes(StandardCharsets.US_ASCII);
	}

	/** The holder's node, or the address that Curator's own recipes write. */
	static @Nullable String holder(byte @Nullable [] data) {
		String text = (data != null) ? new String(data, StandardCharsets.US_ASCII) : "";
		return PRINTABLE.matcher(text).matches() ? text : null;
	}

	static boolean isReader(String node) {
		return node.contains(READER_PREFIX);
	}

	static String sequence(String node) {
		int prefix = node.lastIndexOf(SEQUENCE_PREFIX);
		return (prefix < 0) ? node : node.substring(prefix + SEQUENCE_PREFIX.length());
	}

	/**
	 * Different names remain different: a special character becomes a percent sign and
	 * the hexadecimal digits of its UTF-16 unit, even an unpaired surrogate.
	 */
	static String encode(String name) {
		StringBuilder encoded = new StringBuilder(name.length() + 16);
		for (int i = 0; i < name.length(); i++) {
			char character = name.charAt(i);
			if (isPlain(character)) {
				encoded.append(character);
			}
			else {
				encoded.append('%').append(HexFormat.of().toHexDigits(character));
			}
		}
		return encoded.toString();
	}

	// Without the dot, since ZooKeeper does not accept the names "." and "..".
	private static boolean isPlain(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || character == '-' || character == '_' || character == ':';
	}

}
