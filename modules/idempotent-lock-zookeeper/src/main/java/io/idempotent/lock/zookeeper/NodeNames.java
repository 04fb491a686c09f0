package io.idempotent.lock.zookeeper;

/**
 * Turns the name of a lock into that of a node. Different names stay different: what is
 * not plain becomes a percent sign and the four hexadecimal digits of the UTF-16 unit, so
 * that even a lone surrogate keeps its own name. A node name has at most five times the
 * characters of the lock's.
 */
final class NodeNames {

	private NodeNames() {
	}

	static String encode(String name) {
		StringBuilder encoded = new StringBuilder(name.length() + 16);
		for (int i = 0; i < name.length(); i++) {
			char character = name.charAt(i);
			if (isPlain(character)) {
				encoded.append(character);
			}
			else {
				encoded.append('%');
				for (int shift = 12; shift >= 0; shift -= 4) {
					encoded.append(Character.forDigit((character >> shift) & 0xF, 16));
				}
			}
		}
		return encoded.toString();
	}

	// No dot, so that neither "." nor ".." can come out.
	private static boolean isPlain(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || character == '-' || character == '_' || character == ':';
	}

}
