package io.idempotent.webmvc.internal.operation;

import java.util.List;
import java.util.regex.Pattern;

/** The error statuses to replay: single ones such as 409, and classes such as 4xx. */
public record ErrorStatuses(List<String> texts) {

	private static final Pattern FORM = Pattern.compile("[45]([0-9]{2}|xx)");

	/** Throws {@link IllegalArgumentException} if a text is not an error status. */
	public ErrorStatuses {
		texts = texts.stream().distinct().sorted().toList();
		for (String text : texts) {
			if (!FORM.matcher(text).matches()) {
				throw new IllegalArgumentException("its replayErrors contain \"" + text
						+ "\", which is not the status of an error: write it as 409, 4xx or 5xx");
			}
		}
	}

	public boolean contains(int status) {
		return !this.texts.isEmpty()
				&& (this.texts.contains(Integer.toString(status)) || this.texts.contains(status / 100 + "xx"));
	}

}
