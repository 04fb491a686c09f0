package io.idempotent.webmvc.internal.operation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The error statuses to replay: single ones, and classes by their first digit.
 */
public record ErrorStatuses(Set<Integer> statuses) {

	private static final Pattern FORM = Pattern.compile("[45]([0-9]{2}|xx)");

	/** Throws {@link IllegalArgumentException} if a text is not an error status. */
	public static ErrorStatuses of(List<String> texts) {
		Set<Integer> statuses = new HashSet<>();
		for (String text : texts) {
			if (!FORM.matcher(text).matches()) {
				throw new IllegalArgumentException("its replayErrors contain \"" + text
						+ "\", which is not the status of an error: write it as 409, 4xx or 5xx");
			}
			statuses.add(Integer.valueOf(text.endsWith("xx") ? text.substring(0, 1) : text));
		}
		return new ErrorStatuses(statuses);
	}

	public List<String> texts() {
		return this.statuses.stream().map((status) -> (status < 10) ? status + "xx" : "" + status).sorted().toList();
	}

	boolean isEmpty() {
		return this.statuses.isEmpty();
	}

	public boolean contains(int status) {
		return this.statuses.contains(status) || (status >= 400 && this.statuses.contains(status / 100));
	}

}
