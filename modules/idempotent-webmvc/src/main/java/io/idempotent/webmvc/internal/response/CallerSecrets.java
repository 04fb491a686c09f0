package io.idempotent.webmvc.internal.response;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** What a replay must not disclose: session ids, and texts such as CSRF tokens. */
final class CallerSecrets {

	/**
	 * The characters of ids and of node names that containers append to them
	 * (<code>.node1</code>, <code>!node1</code>, <code>:node1</code>). A separator at the
	 * end of an id is punctuation of the surrounding text.
	 */
	private static final String ID_CHARACTERS = "[A-Za-z0-9_~+=%.!:-]*(?<![.!:])";

	private static final Pattern PATH_PARAMETER = Pattern.compile(";jsessionid=" + ID_CHARACTERS,
			Pattern.CASE_INSENSITIVE);

	/** Shorter ids, such as those of MockMvc, occur in any text. */
	private static final int SHORTEST_SECRET = 8;

	private final List<String> ids;

	private final List<String> all;

	private CallerSecrets(List<String> ids, List<String> all) {
		this.ids = ids;
		this.all = all;
	}

	/** Creates no session. */
	static CallerSecrets of(HttpServletRequest request, Collection<String> others) {
		List<String> ids = new ArrayList<>(2);
		HttpSession session = request.getSession(false);
		if (session != null) {
			ids.add(session.getId());
		}
		addIfPresent(request.getRequestedSessionId(), ids);
		List<String> all = new ArrayList<>(ids);
		all.removeIf((id) -> id.length() < SHORTEST_SECRET);
		others.forEach((other) -> addIfPresent(other, all));
		return new CallerSecrets(ids, all);
	}

	private static void addIfPresent(@Nullable String secret, List<String> secrets) {
		if (secret != null && !secret.isEmpty() && !secrets.contains(secret)) {
			secrets.add(secret);
		}
	}

	/** Removes session ids from URLs, and nothing else. */
	String strip(String text) {
		if (text.indexOf(';') < 0) {
			return text;
		}
		String stripped = text;
		// First, since these may contain characters that other ids do not.
		for (String id : this.ids) {
			stripped = Pattern.compile(";[^;=?#/]+=" + Pattern.quote(id) + "(?:[.!:]" + ID_CHARACTERS + ")?")
				.matcher(stripped)
				.replaceAll("");
		}
		return PATH_PARAMETER.matcher(stripped).replaceAll("");
	}

	/** Whether a text contains a secret, or any session id in a URL. */
	boolean areIn(String text) {
		for (String secret : this.all) {
			if (text.contains(secret)) {
				return true;
			}
		}
		return text.indexOf(';') >= 0 && PATH_PARAMETER.matcher(text).find();
	}

	/**
	 * Secrets are ASCII, which nearly every encoding preserves; UTF-16 and UTF-32 insert
	 * zero bytes. A compressed body cannot be searched, and may contain one.
	 */
	boolean mayBeIn(byte[] body, @Nullable String contentEncoding) {
		if (!this.all.isEmpty() && body.length > 0 && isEncoded(contentEncoding)) {
			return true;
		}
		String text = new String(body, StandardCharsets.ISO_8859_1);
		return areIn(text) || (text.indexOf('\0') >= 0 && areIn(text.replace("\0", "")));
	}

	private static boolean isEncoded(@Nullable String contentEncoding) {
		return contentEncoding != null && !contentEncoding.isBlank()
				&& !contentEncoding.strip().equalsIgnoreCase("identity");
	}

}
