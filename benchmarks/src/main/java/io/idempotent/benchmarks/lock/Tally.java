package io.idempotent.benchmarks.lock;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts without any synchronisation, in memory that several JVMs share: it comes out
 * right only if one thread at a time was in the section.
 */
final class Tally implements Runnable {

	/** A few dozen nanoseconds, so that two at once would be noticed. */
	private static final int STEPS = 10;

	private final MappedByteBuffer shared;

	private final LongAdder entered = new LongAdder();

	Tally(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			this.shared = channel.map(MapMode.READ_WRITE, 0, Long.BYTES);
		}
	}

	/**
	 * The section.
	 */
	@Override
	public void run() {
		for (int i = 0; i < STEPS; i++) {
			this.shared.putLong(0, this.shared.getLong(0) + 1);
		}
		this.entered.increment();
	}

	/**
	 * How often threads of this JVM were in the section.
	 * @return the number
	 */
	long entered() {
		return this.entered.sum();
	}

	/**
	 * Fails if two were in the section at once.
	 * @param who whose section it was
	 * @param elsewhere how often threads of other JVMs were in it
	 */
	void check(String who, long elsewhere) {
		long expected = STEPS * (entered() + elsewhere);
		if (this.shared.getLong(0) != expected) {
			throw new IllegalStateException(
					who + " let two in at once: " + expected + " steps were counted as " + this.shared.getLong(0));
		}
	}

}
