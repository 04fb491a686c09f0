package io.idempotent.switching;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No thread of the library, or of its clients, keeps an application alive that has
 * nothing else to do.
 */
@Execution(ExecutionMode.CONCURRENT)
class CommandLineTests {

	private static LockServers servers;

	@BeforeAll
	static void start() {
		servers = new LockServers();
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "redisson", "quorum", "zookeeper", "jdbc", "local", "redis,jdbc" })
	void anApplicationEndsWhenMainReturns(String engines) {
		List<String> properties = new ArrayList<>(servers.properties(engines));
		properties.add("--idempotent.lock.switching.enabled=" + engines.contains(","));
		properties.add("--idempotent.lock.quorum.timeout=20s");
		try (JavaProcess application = JavaProcess.start(OneLock.class, properties)) {
			assertThat(application.awaitEnd()).as(application::log).isZero();
			assertThat(application.log()).contains(OneLock.DONE);
		}
	}

}
