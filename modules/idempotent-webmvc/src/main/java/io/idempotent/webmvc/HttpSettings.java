package io.idempotent.webmvc;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What is the same for every HTTP operation.
 *
 * @param namespace the application, part of every key
 * @param keyHeader the header that carries a key of the caller's choice
 * @param tokenHeader the header that carries a token
 * @param tokenParameter the form field that carries a token
 * @param replayedHeader the header that marks a replayed answer
 * @param replayHeaders the response headers that are stored and replayed; an asterisk
 * stands for all that may be
 * @param maxRequestBody how many bytes of a request body are read for its fingerprint
 * @param maxRequestTokens how many values, names and brackets a JSON body may have
 * @param maxResponseBody how many bytes of a response body are stored
 * @param bindToSession whether a key belongs to the session as well
 * @param problemBase what the type of a problem begins with, before its code
 */
public record HttpSettings(String namespace, String keyHeader, String tokenHeader, String tokenParameter,
		String replayedHeader, List<String> replayHeaders, int maxRequestBody, long maxRequestTokens,
		int maxResponseBody, boolean bindToSession, String problemBase) {

	/** What belongs to one connection or one caller and is never stored. */
	private static final Set<String> NEVER = Set.of("set-cookie", "set-cookie2", "www-authenticate",
			"proxy-authenticate", "authentication-info", "proxy-authentication-info", "authorization", "connection",
			"keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "content-length", "date",
			"x-csrf-token", "x-xsrf-token");

	private static final String ALL = "*";

	/**
	 * Checks the settings.
	 * @throws IllegalArgumentException naming the header that must never be stored
	 */
	public HttpSettings {
		replayHeaders = List.copyOf(replayHeaders);
		for (String header : replayHeaders) {
			if (!mayReplay(header)) {
				throw new IllegalArgumentException("The response header '" + header
						+ "' belongs to one connection or one caller and is never replayed: leave it out");
			}
		}
	}

	/**
	 * Whether a header may be stored and replayed at all.
	 * @param name the name of the header
	 * @return {@code false} if it belongs to one connection or one caller
	 */
	public static boolean mayReplay(String name) {
		return !NEVER.contains(name.toLowerCase(Locale.ROOT));
	}

	/**
	 * Whether a header of an answer is stored and replayed.
	 * @param name the name of the header
	 * @return whether it is
	 */
	boolean replays(String name) {
		return mayReplay(name)
				&& this.replayHeaders.stream().anyMatch((one) -> one.equals(ALL) || one.equalsIgnoreCase(name));
	}

}
