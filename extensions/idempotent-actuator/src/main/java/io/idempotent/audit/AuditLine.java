package io.idempotent.audit;

import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One line of the audit log: names and values in the order in which they are added, as
 * {@code action=release lock=report by=alice reason="the node is gone"}. A value that is
 * not plain is quoted, so that no value looks like another field or line.
 */
public final class AuditLine {

	public static final String LOGGER = "io.idempotent.audit";

	private static final Log logger = LogFactory.getLog(LOGGER);

	private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}._:/@#+{}-]+");

	private final StringBuilder line = new StringBuilder(128);

	private AuditLine() {
	}

	public static AuditLine of(String action) {
		return new AuditLine().with("action", action);
	}

	public AuditLine with(String name, Object value) {
		String text = value.toString();
		return PLAIN.matcher(text).matches() ? add(name, text) : quoted(name, text);
	}

	public AuditLine quoted(String name, String text) {
		StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
		text.codePoints().forEach((character) -> append(quoted, character));
		return add(name, quoted.append('"'));
	}

	private AuditLine add(String name, CharSequence value) {
		this.line.append(this.line.isEmpty() ? "" : " ").append(name).append('=').append(value);
		return this;
	}

	private static void append(StringBuilder quoted, int character) {
		if (character == '"' || character == '\\') {
			quoted.append('\\').append((char) character);
		}
		else if (BoundedText.isUnprintable(character)) {
			for (char each : Character.toChars(character)) {
				quoted.append(String.format("\\u%04x", (int) each));
			}
		}
		else {
			quoted.appendCodePoint(character);
		}
	}

	public void write() {
		logger.info(this);
	}

	@Override
	public String toString() {
		return this.line.toString();
	}

}
