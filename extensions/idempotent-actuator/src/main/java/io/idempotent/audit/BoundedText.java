package io.idempotent.audit;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/** Texts that operators enter, such as the reason for an intervention. */
public final class BoundedText {

	public static final int MAX_REASON = 200;

	private static final int MAX_OPERATOR = 100;

	private static final String ANONYMOUS = "anonymous";

	private BoundedText() {
	}

	/** Strips white space. Throws if blank, too long or not printable. */
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

	/** Cuts off an unchecked text, and replaces control characters. */
	public static String visible(String text, int longest) {
		StringBuilder visible = new StringBuilder();
		text.codePoints()
			.limit(longest)
			.forEach((character) -> visible.appendCodePoint(isUnprintable(character) ? '?' : character));
		return visible.toString();
	}

	public static String operator(@Nullable Principal operator) {
		String name = (operator != null) ? operator.getName() : null;
		return (name != null && !name.isBlank()) ? visible(name, MAX_OPERATOR) : ANONYMOUS;
	}

	/** Breaks a line of a log, changes how it is shown, or is half a surrogate pair. */
	public static boolean isUnprintable(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				true;
			default -> false;
		};
	}

}
