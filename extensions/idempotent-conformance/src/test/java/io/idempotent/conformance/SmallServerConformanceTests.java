package io.idempotent.conformance;

import io.idempotent.conformance.SmallServer.Fault;
import org.junit.jupiter.api.AutoClose;

/**
 * The vectors as JUnit tests, as another service runs them. It promises nothing but what
 * its protocol requires.
 */
class SmallServerConformanceTests extends ConformanceTests {

	@AutoClose
	private static final SmallServer SERVER = new SmallServer(Fault.NONE);

	@Override
	protected Profile profile() {
		return Profile.ACP;
	}

	@Override
	protected Target target() {
		return SERVER.target();
	}

	@Override
	protected boolean includes(Level level) {
		return level != Level.PROMISE;
	}

}
