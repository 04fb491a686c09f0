package io.idempotent.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

/** A script that Redis runs atomically, and the digest by which it finds the script. */
@SuppressWarnings("ArrayRecordComponent")
record LuaScript(byte[] source, String sha1) {

	private static final String RECORD = "-- record.lua\n";

	/** Reads a resource, and inserts {@code record.lua} at its placeholder. */
	static LuaScript named(String name) {
		String source = read(name).replace(RECORD, read("record"));
		return new LuaScript(source.getBytes(StandardCharsets.UTF_8), DigestUtils.sha1DigestAsHex(source));
	}

	private static String read(String name) {
		try {
			return new ClassPathResource(name + ".lua", LuaScript.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
