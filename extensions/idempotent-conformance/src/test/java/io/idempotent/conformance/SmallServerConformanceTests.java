package io.idempotent.conformance;

import io.idempotent.conformance.SmallServer.Fault;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/**
 * The vectors as JUnit tests, as another service runs them. It promises nothing but what
 * its protocol requires.
 */
class SmallServerConformanceTests extends ConformanceTests {

	@AutoClose
	private static SmallServer server;

	@BeforeAll
	static void start() {
		server = new SmallServer(Fault.NONE);
	}

	@Override
	protected Profile profile() {
		return Profile.ACP;
	}

	@Override
	protected Target target() {
		return server.target();
	}

	@Override
	protected boolean includes(Level level) {
		return level != Level.PROMISE;
	}

}
