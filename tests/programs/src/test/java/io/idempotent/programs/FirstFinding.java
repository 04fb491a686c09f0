package io.idempotent.programs;

import java.util.concurrent.Callable;

/**
 * Runs programs until one deviates, and says which. Made by its name in a library that
 * has a mend less.
 */
public final class FirstFinding implements Callable<String> {

	/** For the other class loader. */
	public FirstFinding() {
	}

	static final int PROGRAMS = 10_000;

	static final long SEED = 20_261_121L;

	/** What is said if none does. */
	static final String NONE = "none of " + PROGRAMS;

	@Override
	public String call() {
		try (Worlds worlds = new Worlds(Databases::h2)) {
			Findings findings = new Findings(worlds);
			for (long seed = SEED; seed < SEED + PROGRAMS; seed++) {
				if (!findings.run(seed, 1).isEmpty()) {
					return "after " + (seed - SEED + 1) + " programs, by seed " + seed + ": "
							+ findings.found().get(0).deviation();
				}
			}
		}
		return NONE;
	}

}
