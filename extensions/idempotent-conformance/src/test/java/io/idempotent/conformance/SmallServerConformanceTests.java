package io.idempotent.conformance;

import io.idempotent.conformance.SmallServer.Fault;
import org.junit.jupiter.api.AfterAll;

/**
 * The vectors as JUnit tests, as another service runs them. It promises nothing but what
 * its protocol requires.
 */
class SmallServerConformanceTests extends ConformanceTests {

	private static final SmallServer SERVER = new SmallServer(Fault.NONE);

	@AfterAll
	static void stop() {
		SERVER.close();
	}

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
