package io.idempotent.support;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes texts in UTF-8 such that different texts always have different bytes. Java
 * writes a question mark for an unpaired surrogate; here it is written as the three bytes
 * that UTF-8 would use for its code point, which no well-formed text contains.
 */
final class Utf8 {

	private Utf8() {
	}

	static byte[] encode(String text) {
		return isWellFormed(text) ? text.getBytes(StandardCharsets.UTF_8) : generalized(text);
	}

	private static boolean isWellFormed(String text) {
		int length = text.length();
		for (int i = 0; i < length; i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				if (!isPair(text, i)) {
					return false;
				}
				i++;
			}
		}
		return true;
	}

	private static boolean isPair(String text, int at) {
		return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
	}

	private static byte[] generalized(String text) {
		byte[] bytes = new byte[3 * text.length()];
		int end = 0;
		int begin = 0;
		for (int i = 0; i < text.length(); i++) {
			if (!Character.isSurrogate(text.charAt(i))) {
				continue;
			}
			if (isPair(text, i)) {
				i++;
				continue;
			}
			end = append(text.substring(begin, i), bytes, end);
			char lone = text.charAt(i);
			bytes[end++] = (byte) (0xe0 | (lone >> 12));
			bytes[end++] = (byte) (0x80 | ((lone >> 6) & 0x3f));
			bytes[end++] = (byte) (0x80 | (lone & 0x3f));
			begin = i + 1;
		}
		return Arrays.copyOf(bytes, append(text.substring(begin), bytes, end));
	}

	private static int append(String wellFormed, byte[] bytes, int end) {
		byte[] encoded = wellFormed.getBytes(StandardCharsets.UTF_8);
		System.arraycopy(encoded, 0, bytes, end, encoded.length);
		return end + encoded.length;
	}

}
