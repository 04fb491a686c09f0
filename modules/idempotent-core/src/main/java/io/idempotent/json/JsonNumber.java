package io.idempotent.json;

import java.math.BigInteger;

/**
 * Converts JSON numbers to a canonical form, the same for equal values. Works on the
 * characters, in linear time whatever the value.
 */
final class JsonNumber {

	private static final int LONGEST_OF_LONG = 18;

	private JsonNumber() {
	}

	/**
	 * The digits without zeros at either end, and the power of ten of the last digit,
	 * such as {@code -12E3}; {@code 0} for any zero.
	 */
	static String canonical(String number) {
		boolean negative = number.startsWith("-");
		int exponentAt = Math.max(number.indexOf('e'), number.indexOf('E'));
		String mantissa = number.substring(negative ? 1 : 0, (exponentAt < 0) ? number.length() : exponentAt);
		int point = mantissa.indexOf('.');
		String digits = (point < 0) ? mantissa : mantissa.substring(0, point) + mantissa.substring(point + 1);
		int first = 0;
		while (first < digits.length() && digits.charAt(first) == '0') {
			first++;
		}
		int end = digits.length();
		while (end > first && digits.charAt(end - 1) == '0') {
			end--;
		}
		if (first == end) {
			return "0";
		}
		int shift = (digits.length() - end) - ((point < 0) ? 0 : mantissa.length() - point - 1);
		return (negative ? "-" : "") + digits.substring(first, end) + "E"
				+ exponent((exponentAt < 0) ? "0" : number.substring(exponentAt + 1), shift);
	}

	private static String exponent(String text, int shift) {
		if (text.length() <= LONGEST_OF_LONG) {
			return Long.toString(Long.parseLong(text) + shift);
		}
		// An exponent with many digits has no practical value: it is kept as written.
		return (text.length() > 100) ? text + "+" + shift
				: new BigInteger(text).add(BigInteger.valueOf(shift)).toString();
	}

}
