package io.idempotent.lock.internal;

/** Checks the names of locks, and adds the prefix for the engines, which may be empty. */
record LockNames(String prefix) {

	private static final int MAX_LENGTH = 255;

	LockNames {
		if (!prefix.isEmpty()) {
			requireCharacters(prefix);
			if (prefix.indexOf('{') >= 0) {
				throw new IllegalArgumentException("The prefix '" + prefix
						+ "' of lock names contains a brace: in a Redis Cluster all locks would be on one node");
			}
		}
	}

	String require(String name) {
		int longest = MAX_LENGTH - this.prefix.length();
		if (longest < 1) {
			throw new IllegalArgumentException("The prefix '" + this.prefix + "' of lock names has "
					+ this.prefix.length() + " characters, and a name with its prefix has at most " + MAX_LENGTH
					+ ": set a shorter idempotent.lock.namespace");
		}
		if (name.isEmpty() || name.length() > longest) {
			throw new IllegalArgumentException("A lock name has 1 to " + longest + " characters"
					+ (this.prefix.isEmpty() ? ""
							: " behind the prefix '" + this.prefix + "' (idempotent.lock.namespace)")
					+ ", but this one has " + name.length());
		}
		return requireCharacters(name);
	}

	String qualified(String name) {
		return this.prefix.isEmpty() ? name : this.prefix + name;
	}

	private static String requireCharacters(String name) {
		if (name.chars().anyMatch(LockNames::isBlankOrControl)) {
			throw new IllegalArgumentException(
					"A lock name contains no white space and no control characters, but this one of " + name.length()
							+ " characters does");
		}
		if (name.codePoints().anyMatch((character) -> Character.getType(character) == Character.SURROGATE)) {
			throw new IllegalArgumentException("A lock name contains no unpaired surrogates, but this one of "
					+ name.length() + " characters does: in UTF-8 it would be another name");
		}
		if (!isOneHashSlot(name)) {
			throw new IllegalArgumentException("The lock name '" + name
					+ "' contains a brace that is not part of a {hash tag}: a Redis Cluster would spread the lock over several nodes");
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
