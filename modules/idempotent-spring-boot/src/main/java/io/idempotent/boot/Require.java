package io.idempotent.boot;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.util.unit.DataSize;

/**
 * What a property must be for anything to work with it.
 */
public final class Require {

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

	/** Why a shorter lease cannot work. */
	static final String TOO_SHORT_LEASE = "a lease that short ends before it can be renewed";

	/** What to give instead. */
	static final String LONGER_LEASE = "at least 100ms, or rather seconds: 30s";

	/** A token of RFC 9110, section 5.6.2. */
	private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/** A scheme, a colon, and the characters of RFC 3986. */
	private static final Pattern URI_PREFIX = Pattern
		.compile("[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]*");

	private Require() {
	}

	public static void that(boolean condition, String property, Object value, String reason, String action) {
		if (!condition) {
			String text = (value instanceof Enum<?> constant) ? text(constant) : value.toString();
			throw new InvalidConfigurationException(property, text, reason, action);
		}
	}

	public static void positive(String property, Duration time) {
		that(isPositive(time), property, time, "it must be positive", "Give a time such as 30s, 10m or 24h");
	}

	public static boolean isPositive(Duration time) {
		return !time.isZero() && !time.isNegative();
	}

	/** Also finds a number without its unit, which is taken for milliseconds. */
	public static void lease(String property, Duration lease) {
		that(isLongEnough(lease), property, lease, TOO_SHORT_LEASE, "Give " + LONGER_LEASE);
	}

	public static boolean isLongEnough(Duration lease) {
		return lease.compareTo(SHORTEST_LEASE) >= 0;
	}

	public static <E extends Enum<E>> void decided(String property, E value, E undecided) {
		String others = Arrays.stream(value.getDeclaringClass().getEnumConstants())
			.filter((constant) -> constant != undecided)
			.map(Require::text)
			.collect(Collectors.joining(", "));
		that(value != undecided, property, value, "it stands for this very property", "Choose one of " + others);
	}

	public static void headerName(String property, String name) {
		that(HEADER_NAME.matcher(name).matches(), property, name, "it is no name of an HTTP header",
				"Use letters, digits and hyphens");
	}

	/** Printable ASCII that may stand between angle brackets in a header. */
	public static void uriPrefix(String property, String uri) {
		that(URI_PREFIX.matcher(uri).matches(), property, uri, "it is no beginning of an absolute URI",
				"Give one such as https://api.example.com/problems/ or urn:idempotent:problem:");
	}

	public static void fitsInMemory(String property, DataSize size) {
		that(size.toBytes() >= 0 && size.toBytes() <= Integer.MAX_VALUE - 8, property, size,
				"it is held in memory and must lie between 0 and 2GB", "Give a size such as 256KB or 1MB");
	}

	private static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
