package io.idempotent.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script that Redis runs atomically.
 *
 * @param source the script
 * @param sha1 the digest by which Redis finds it
 */
@SuppressWarnings("ArrayRecordComponent")
record LuaScript(byte[] source, String sha1) {

	private static final String RECORD = "-- record.lua\n";

	/**
	 * Reads a script and inserts {@code record.lua} at its placeholder.
	 * @param name the name of a resource beside this class, without its ending
	 */
	static LuaScript named(String name) {
		byte[] source = read(name).replace(RECORD, read("record")).getBytes(StandardCharsets.UTF_8);
		return new LuaScript(source, sha1(source));
	}

	private static String read(String name) {
		try (InputStream resource = LuaScript.class.getResourceAsStream(name + ".lua")) {
			if (resource == null) {
				throw new IllegalStateException("The script " + name + ".lua is missing beside " + LuaScript.class);
			}
			return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String sha1(byte[] source) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1, this one has not", ex);
		}
	}

}
