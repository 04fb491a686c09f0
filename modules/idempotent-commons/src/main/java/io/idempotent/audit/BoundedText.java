package io.idempotent.audit;

import org.jspecify.annotations.Nullable;

/**
 * Checks texts that operators enter, such as the reason for an intervention.
 */
public final class BoundedText {

	/** The maximum length of a reason. */
	public static final int MAX_REASON = 200;

	private static final int MAX_OPERATOR = 100;

	/** The name that is recorded if nobody has logged in. */
	private static final String ANONYMOUS = "anonymous";

	private BoundedText() {
	}

	/**
	 * Checks a text.
	 * @param what what the text is, for the message
	 * @param text the text, or {@code null}
	 * @param longest how many characters it may have
	 * @return the text without white space around it
	 * @throws IllegalArgumentException if it is missing, blank or too long, or contains
	 * control characters
	 */
	public static String require(String what, @Nullable String text, int longest) {
		String trimmed = (text != null) ? text.strip() : "";
		if (trimmed.isEmpty()) {
			throw new IllegalArgumentException("The " + what + " is missing: give 1 to " + longest + " characters");
		}
		if (trimmed.length() > longest) {
			throw new IllegalArgumentException(
					"The " + what + " has " + trimmed.length() + " characters, but may have " + longest + " at most");
		}
		if (trimmed.codePoints().anyMatch(BoundedText::isUnprintable)) {
			throw new IllegalArgumentException(
					"The " + what + " contains control characters: write it as one line of plain text");
		}
		return trimmed;
	}

	/**
	 * Makes an unchecked text, such as the name of a user, safe for a log.
	 * @param text the text
	 * @param longest how many characters it may have; the others are cut off
	 * @return the text, with a question mark for each control character
	 */
	public static String visible(String text, int longest) {
		StringBuilder visible = new StringBuilder();
		text.codePoints()
			.limit(longest)
			.forEach((character) -> visible.appendCodePoint(isUnprintable(character) ? '?' : character));
		return visible.toString();
	}

	/**
	 * The name under which an operator is recorded.
	 * @param name the name of the user, or {@code null} if nobody has logged in
	 * @return the name, safe for a log
	 */
	public static String operator(@Nullable String name) {
		return (name != null && !name.isBlank()) ? visible(name, MAX_OPERATOR) : ANONYMOUS;
	}

	/**
	 * Whether a code point could break a line of a log, or change how it is shown, or has
	 * no form in UTF-8 (half of a surrogate pair).
	 * @param character the code point
	 * @return whether it is no part of a line of plain text
	 */
	public static boolean isUnprintable(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				true;
			default -> false;
		};
	}

}
