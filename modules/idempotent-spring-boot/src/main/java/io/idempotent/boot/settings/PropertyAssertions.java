package io.idempotent.boot.settings;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.idempotent.jdbc.TableName;

import org.springframework.util.unit.DataSize;

/**
 * Assertions about the values of properties. Each fails with an
 * {@link InvalidConfigurationException} that names the property.
 */
public final class PropertyAssertions {

	// Reasons and ways out that failures of annotations share.

	public static final String TOO_SHORT_LEASE = "a lease that short ends before it can be renewed";

	public static final String LONGER_LEASE = "Give at least 100ms, or rather seconds: 30s";

	public static final String NO_ERROR_STATUS = "it is not the status of an error";

	public static final String ERROR_STATUSES = "Write each status as 409, 4xx or 5xx";

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

	private static final Pattern ERROR_STATUS = Pattern.compile("[45]([0-9]{2}|xx)");

	/** A token of RFC 9110, section 5.6.2. */
	private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/** Segments of unreserved characters, none of which the browser resolves. */
	private static final Pattern PATH = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+");

	/** The keys of a map that need no brackets. */
	private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9-]+");

	private PropertyAssertions() {
	}

	/** The property of a setting in a map, whose key is in brackets if it needs them. */
	public static String property(String map, String key, String setting) {
		return map + (PLAIN_KEY.matcher(key).matches() ? "." + key : "[" + key + "]") + "." + setting;
	}

	public static void that(boolean condition, String property, Object value, String reason, String action) {
		if (!condition) {
			throw new InvalidConfigurationException(property, InvalidConfigurationException.text(value), reason,
					action);
		}
	}

	public static void positive(String property, Duration time) {
		that(isPositive(time), property, time, "it must be positive", "Give a time such as 30s, 10m or 24h");
	}

	public static boolean isPositive(Duration time) {
		return !time.isZero() && !time.isNegative();
	}

	/** Also rejects a number without a unit, which means milliseconds. */
	public static void lease(String property, Duration lease) {
		that(isLongEnough(lease), property, lease, TOO_SHORT_LEASE, LONGER_LEASE);
	}

	public static boolean isLongEnough(Duration lease) {
		return lease.compareTo(SHORTEST_LEASE) >= 0;
	}

	public static <E extends Enum<E>> void decided(String property, E value, E undecided) {
		if (value == undecided) {
			that(false, property, value, "in an annotation it refers to this property, which itself needs a value",
					"Choose one of " + Arrays.stream(value.getDeclaringClass().getEnumConstants())
						.filter((constant) -> constant != undecided)
						.map(InvalidConfigurationException::text)
						.collect(Collectors.joining(", ")));
		}
	}

	public static void headerName(String property, String name) {
		that(HEADER_NAME.matcher(name).matches(), property, name, "it cannot be the name of an HTTP header",
				"Use letters, digits and hyphens");
	}

	/** A path that is the same for browsers, servers and patterns of Spring MVC. */
	public static void path(String property, String path, String action) {
		that(PATH.matcher(path).matches(), property, path,
				"it must be segments of letters, digits and '.', '_', '~' or '-', each after a slash", action);
	}

	public static void fitsInMemory(String property, DataSize size) {
		that(size.toBytes() >= 0 && size.toBytes() <= Integer.MAX_VALUE - 8, property, size,
				"it is held in memory and must lie between 0 and 2GB", "Give a size such as 256KB or 1MB");
	}

	/** The name of a table, which is part of SQL statements without quotes. */
	public static void tableName(String property, String table) {
		that(TableName.isOne(table), property, table, "it cannot be the name of a table in a statement",
				"Use letters, digits and underscores, and a schema before a dot if need be");
	}

	public static void errorStatuses(String property, List<String> statuses) {
		statuses.forEach((status) -> that(isErrorStatus(status), property, status, NO_ERROR_STATUS, ERROR_STATUSES));
	}

	public static boolean isErrorStatus(String status) {
		return ERROR_STATUS.matcher(status).matches();
	}

}
