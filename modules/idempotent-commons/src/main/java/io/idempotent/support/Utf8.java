package io.idempotent.support;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Encodes texts in UTF-8 such that different texts always have different bytes. Java
 * writes a question mark for an unpaired surrogate: a text with one is encoded by its
 * characters instead, after a byte that UTF-8 never has.
 */
final class Utf8 {

	private static final byte NOT_UTF_8 = (byte) 0xff;

	private Utf8() {
	}

	static byte[] encode(String text) {
		return isWellFormed(text) ? text.getBytes(StandardCharsets.UTF_8) : characters(text);
	}

	private static boolean isWellFormed(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				if (Character.isBmpCodePoint(text.codePointAt(i))) {
					return false;
				}
				i++;
			}
		}
		return true;
	}

	private static byte[] characters(String text) {
		ByteBuffer bytes = ByteBuffer.allocate(1 + Character.BYTES * text.length()).put(NOT_UTF_8);
		bytes.asCharBuffer().put(text);
		return bytes.array();
	}

}
