package io.idempotent.benchmarks.inprocess;

import java.util.HexFormat;

/**
 * A new key for each call, as long as a UUID.
 */
final class Keys {

	private long count;

	String next() {
		return "8e03978e-40d5-43dd-bc93-".concat(HexFormat.of().toHexDigits(this.count++, 12));
	}

}
