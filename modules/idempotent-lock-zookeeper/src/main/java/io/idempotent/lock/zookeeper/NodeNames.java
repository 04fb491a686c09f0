package io.idempotent.lock.zookeeper;

/**
 * Encodes the name of a lock as the name of a node. Different names remain different: a
 * special character becomes a percent sign and the four hexadecimal digits of its UTF-16
 * unit, even an unpaired surrogate. So a node name has at most five times as many
 * characters as the name of the lock.
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

	// Without the dot, since ZooKeeper does not accept the names "." and "..".
	private static boolean isPlain(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || character == '-' || character == '_' || character == ':';
	}

}
