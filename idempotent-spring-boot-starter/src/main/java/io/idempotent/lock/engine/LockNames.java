package io.idempotent.lock.engine;

/**
 * What may be the name of a lock.
 */
final class LockNames {

	private static final int MAX_LENGTH = 255;

	private LockNames() {
	}

	/**
	 * Checks a name.
	 * @param name the name
	 * @return the name
	 * @throws IllegalArgumentException if it is none
	 */
	static String require(String name) {
		if (name.isEmpty() || name.length() > MAX_LENGTH) {
			throw new IllegalArgumentException(
					"A lock name has 1 to " + MAX_LENGTH + " characters, but this one has " + name.length());
		}
		if (name.chars().anyMatch(LockNames::isBlankOrControl)) {
			throw new IllegalArgumentException(
					"A lock name contains no white space and no control characters, but this one of " + name.length()
							+ " characters does");
		}
		if (name.codePoints().anyMatch((character) -> Character.getType(character) == Character.SURROGATE)) {
			throw new IllegalArgumentException("A lock name contains whole characters, but this one of " + name.length()
					+ " characters contains half of one: in UTF-8 it would be another name");
		}
		if (!isOneHashSlot(name)) {
			throw new IllegalArgumentException("The lock name '" + name
					+ "' contains a brace that is not part of a {hash tag}: Redis Cluster would tear the lock apart");
		}
		return name;
	}

	private static boolean isBlankOrControl(int character) {
		return Character.isWhitespace(character) || Character.isSpaceChar(character)
				|| Character.isISOControl(character);
	}

	// Redisson makes a hash tag of a name without an opening brace, and trusts any other.
	private static boolean isOneHashSlot(String name) {
		int open = name.indexOf('{');
		return (open < 0) ? name.indexOf('}') < 0 : name.indexOf('}', open) > open + 1;
	}

}
