package io.idempotent.method.json;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.method.json.CallJson.ResultType;
import io.idempotent.store.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes the results of one operation: a version byte, then JSON of the
 * declared type, or nothing for {@code null}.
 */
public final class ResultCodec {

	private static final Log logger = LogFactory.getLog(ResultCodec.class);

	private static final int VERSION = 1;

	private static final String REMEDY = "Return a type that Jackson reads as it writes it, or choose "
			+ "whenCompleted = REJECT";

	/** For operations without a result, or whose result is not replayed. */
	public static final ResultCodec NOTHING = new ResultCodec(null, 1);

	private final @Nullable ResultType type;

	private final int maxLength;

	private final AtomicBoolean compared = new AtomicBoolean();

	/** {@code type} is {@code null} if there are no results; the length is in bytes. */
	public ResultCodec(@Nullable ResultType type, int maxLength) {
		this.type = type;
		this.maxLength = maxLength;
	}

	public boolean hasResults() {
		return this.type != null;
	}

	/** Never throws, since the operation took effect: rather a tombstone. */
	public Outcome encode(@Nullable Object result, String operation) {
		try {
			byte[] stored = encode(result);
			if (result != null && this.type != null && this.compared.compareAndSet(false, true)) {
				compare(result, stored, operation);
			}
			return Outcome.stored(stored);
		}
		catch (IllegalArgumentException ex) {
			logger.warn("A result of operation '" + operation + "' is not stored, and a duplicate will get none: "
					+ ex.getMessage(), ex.getCause());
			return Outcome.TOMBSTONE;
		}
	}

	/**
	 * Says at the first result, not at the first repeat, that repeats get another one.
	 * Where two equal results are not {@code equal}, their JSON is compared.
	 */
	private void compare(Object result, byte[] stored, String operation) {
		try {
			Object read = decode(stored);
			if (result.equals(read) || (!Objects.equals(read, decode(stored)) && Arrays.equals(stored, encode(read)))) {
				return;
			}
			logger.warn("A repeat of operation '" + operation + "' gets another result than the first call: from its "
					+ "JSON, " + result.getClass().getName() + " is not restored as it was (@JsonFormat, @JsonIgnore, "
					+ "a serializer that shortens or masks?). " + REMEDY);
		}
		catch (Throwable ex) {
			logger.warn("Each repeat of operation '" + operation + "' will be refused as record-unreadable: "
					+ "Jackson cannot read the JSON that it has written of " + result.getClass().getName() + ". "
					+ REMEDY, ex);
		}
	}

	/** Throws an {@link IllegalArgumentException} that says why it cannot be stored. */
	public byte[] encode(@Nullable Object result) {
		BoundedBytes bytes = new BoundedBytes(this.maxLength);
		try {
			bytes.write(VERSION);
			if (result != null && this.type != null) {
				this.type.write(result, bytes);
			}
			return bytes.toByteArray();
		}
		catch (Throwable ex) {
			throw bytes.full
					? new IllegalArgumentException(
							"it has more than " + this.maxLength + " bytes (idempotent.call.max-result)")
					: new IllegalArgumentException(String.valueOf(ex.getMessage()), ex);
		}
	}

	/** Throws a {@link RuntimeException} if the result is of another version or type. */
	public @Nullable Object decode(byte[] stored) {
		requireVersion(stored);
		return (this.type != null && stored.length > 1) ? this.type.read(stored, 1) : null;
	}

	/** Empty if the result is {@code null} or missing. Throws for another version. */
	public static byte[] json(byte[] stored) {
		requireVersion(stored);
		return Arrays.copyOfRange(stored, 1, stored.length);
	}

	/** What {@link #decode} reads, from JSON or, for {@code null}, nothing. */
	public static byte[] ofJson(byte[] json) {
		byte[] stored = new byte[json.length + 1];
		stored[0] = VERSION;
		System.arraycopy(json, 0, stored, 1, json.length);
		return stored;
	}

	private static void requireVersion(byte[] stored) {
		if (stored.length == 0 || stored[0] != VERSION) {
			throw new IllegalArgumentException(
					"A stored result begins with " + ((stored.length == 0) ? "nothing" : stored[0])
							+ ", but this version of the library reads version " + VERSION
							+ ": it is corrupt, of an HTTP operation, or of a newer version of this library");
		}
	}

	private static final class BoundedBytes extends ByteArrayOutputStream {

		private final int max;

		private boolean full;

		BoundedBytes(int max) {
			super(256);
			this.max = max;
		}

		@Override
		public synchronized void write(int single) {
			require(1);
			super.write(single);
		}

		@Override
		public synchronized void write(byte[] source, int offset, int length) {
			require(length);
			super.write(source, offset, length);
		}

		private void require(int more) {
			if (more > this.max - this.count) {
				this.full = true;
				throw new IllegalStateException("Full");
			}
		}

	}

}
