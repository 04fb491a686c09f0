package io.idempotent.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

/** A script that Redis runs atomically, and the digest by which it finds the script. */
@SuppressWarnings("ArrayRecordComponent")
record LuaScript(byte[] source, String sha1) {

	private static final String RECORD = "-- #include record.lua\n";

	/** Reads a resource, and inserts {@code record.lua} where it is included. */
	static LuaScript named(String name) {
		return of(read(name).replace(RECORD, read("record")));
	}

	private static LuaScript of(String source) {
		return new LuaScript(source.getBytes(StandardCharsets.UTF_8), DigestUtils.sha1DigestAsHex(source));
	}

	/**
	 * The same, whose reply is a list even if it is one number. Redis sends a number for
	 * two thirds of what the reply of a list costs.
	 */
	LuaScript replyingLists() {
		return of("local function run()\n" + new String(this.source, StandardCharsets.UTF_8)
				+ "end\nlocal reply = run()\nreturn type(reply) == 'table' and reply or { reply }\n");
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
