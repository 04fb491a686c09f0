package io.idempotent.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Supplier;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;
import org.springframework.util.function.SingletonSupplier;

/** The scripts, which Redis runs atomically. */
@SuppressWarnings("ImmutableEnumChecker")
enum LuaScript {

	CLAIM, COMPLETE, INSPECT, RELEASE, REMAINS, RENEW, REPLACE, SETTLE, UNKNOWN;

	private static final String RECORD = "-- #include record.lua\n";

	// Made when first used: an application needs few of them, and each takes a digest.
	private final Supplier<Source> source = SingletonSupplier.of(() -> new Source(text()));

	private final Supplier<Source> listing = SingletonSupplier.of(() -> new Source("local function run()\n" + text()
			+ "end\nlocal reply = run()\nreturn type(reply) == 'table' and reply or { reply }\n"));

	/** Replies a list or a number, which costs Redis two thirds of what a list does. */
	Source source() {
		return this.source.get();
	}

	/** Replies a list, even of one number. */
	Source listing() {
		return this.listing.get();
	}

	/** Inserts {@code record.lua} where it is included. */
	private String text() {
		return read(name()).replace(RECORD, read("record"));
	}

	private static String read(String name) {
		try {
			return new ClassPathResource(name.toLowerCase(Locale.ROOT) + ".lua", LuaScript.class)
				.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What Redis runs, and the digest by which it finds the script. */
	@SuppressWarnings("ArrayRecordComponent")
	record Source(byte[] text, String sha1) {

		private Source(String text) {
			this(text.getBytes(StandardCharsets.UTF_8), DigestUtils.sha1DigestAsHex(text));
		}

	}

}
