package io.idempotent.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Where one answer is not another: status line, headers by name, framing, body,
 * connection. The order of different headers does not count. What a server draws anew for
 * each answer (session ids, boundaries, times) counts as equal.
 */
final class Differences {

	private static final Pattern DRAWN = Pattern.compile(
			"(JSESSIONID=|;jsessionid=|\"timestamp\":\"|id='created'>|boundary=\"?|\r\n--|//127.0.0.1:)[^;?/\"\r]+");

	/** What Spring Security adds to every answer that it sees in time. */
	private static final Set<String> SECURITY = Set.of("cache-control", "pragma", "expires", "x-content-type-options",
			"x-frame-options", "x-xss-protection");

	private static final int EXCERPT = 400;

	private final List<String> found = new ArrayList<>();

	private final String what;

	private Differences(String what) {
		this.what = what;
	}

	/**
	 * Compares two answers.
	 * @param what which answers these are
	 * @param expected the one
	 * @param actual the other
	 * @return a line for each difference
	 */
	static List<String> between(String what, RawResponse expected, RawResponse actual) {
		Differences differences = new Differences(what);
		differences.compare("interim answers", expected.interim(), actual.interim());
		differences.compare("status line", expected.status(), actual.status());
		differences.compareHeaders(expected.byName(), actual.byName());
		differences.compare("framing", expected.framing(), actual.framing());
		if (!expected.body().equals(actual.body())) {
			differences.compareBodies(undrawn(expected.body()), undrawn(actual.body()));
		}
		differences.compare("trailers", expected.trailers(), actual.trailers());
		differences.compare("connection", expected.connection(), actual.connection());
		return differences.found;
	}

	private void compareHeaders(Map<String, String> expected, Map<String, String> actual) {
		TreeSet<String> names = new TreeSet<>(expected.keySet());
		names.addAll(actual.keySet());
		if (SECURITY.stream().noneMatch(expected::containsKey)) {
			// The container ended that answer past Spring Security; this one may be
			// safer.
			names.removeAll(SECURITY);
		}
		if (expected.getOrDefault("content-type", "").contains("boundary=")) {
			// As long as the boundary that was drawn.
			names.remove("content-length");
		}
		for (String name : names) {
			compare("header " + name, undrawn(expected.getOrDefault(name, "none")),
					undrawn(actual.getOrDefault(name, "none")));
		}
	}

	private void compareBodies(String expected, String actual) {
		if (!expected.equals(actual)) {
			int at = 0;
			while (at < Math.min(expected.length(), actual.length()) && expected.charAt(at) == actual.charAt(at)) {
				at++;
			}
			compare("body (" + expected.length() + " and " + actual.length() + " bytes), from byte " + at,
					excerpt(expected, at), excerpt(actual, at));
		}
	}

	private static String excerpt(String body, int at) {
		return body.substring(at, Math.min(body.length(), at + EXCERPT));
	}

	private void compare(String part, Object expected, Object actual) {
		if (!Objects.equals(expected, actual)) {
			this.found.add(this.what + ": " + part + " should be [" + expected + "] and is [" + actual + "]");
		}
	}

	private static String undrawn(String text) {
		return DRAWN.matcher(text).replaceAll("$1*");
	}

}
