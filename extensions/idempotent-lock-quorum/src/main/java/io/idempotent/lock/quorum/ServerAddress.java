package io.idempotent.lock.quorum;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Where a server is, and who connects to it; {@code null} is the default user. Printed
 * without user and password.
 */
record ServerAddress(boolean encrypted, String host, int port, int database, @Nullable String user,
		@Nullable String password) {

	private static final int DEFAULT_PORT = 6379;

	/** Reads {@code redis[s]://[[user]:password@]host[:port][/database]}. */
	static ServerAddress parse(String url) {
		try {
			URI uri = new URI(url);
			boolean encrypted = "rediss".equals(uri.getScheme());
			if ((!encrypted && !"redis".equals(uri.getScheme())) || uri.getHost() == null) {
				throw invalid();
			}
			String path = (uri.getPath() != null) ? uri.getPath().replaceFirst("^/", "") : "";
			int database = path.isEmpty() ? 0 : Integer.parseInt(path);
			String[] credentials = credentials(uri.getRawUserInfo());
			return new ServerAddress(encrypted, uri.getHost(), (uri.getPort() < 0) ? DEFAULT_PORT : uri.getPort(),
					database, credentials[0], credentials[1]);
		}
		catch (URISyntaxException | NumberFormatException ex) {
			throw invalid();
		}
	}

	private static IllegalArgumentException invalid() {
		return new IllegalArgumentException("A server is not of the form redis://user:password@host:port/database or "
				+ "rediss://host:port (not shown, since it may contain a password)");
	}

	/** User and password. Without a colon it is a password, as in Spring Boot. */
	private static @Nullable String[] credentials(@Nullable String userInfo) {
		if (userInfo == null) {
			return new @Nullable String[] { null, null };
		}
		int colon = userInfo.indexOf(':');
		String user = (colon > 0) ? decode(userInfo.substring(0, colon)) : null;
		return new @Nullable String[] { user, decode(userInfo.substring(colon + 1)) };
	}

	private static String decode(String text) {
		return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
	}

	String url() {
		return (this.encrypted ? "rediss://" : "redis://") + this.host + ":" + this.port;
	}

	@Override
	public String toString() {
		return this.host + ":" + this.port + ((this.database != 0) ? "/" + this.database : "");
	}

}
