package io.idempotent.switching;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

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

	@Test
	void anApplicationEndsThatHasHeldALockOfEachEngine() {
		assertEnds("redisson,redis,quorum,zookeeper,jdbc,local", 6, "--" + OneLock.EACH_ENGINE + "=true",
				"--idempotent.lock.quorum.timeout=20s");
	}

	@Test
	void anApplicationEndsThatSwitchesEngines() {
		assertEnds("redis,jdbc", 1, "--idempotent.lock.switching.enabled=true", "--idempotent.namespace=switching");
	}

	private static void assertEnds(String engines, int locks, String... properties) {
		List<String> arguments = new ArrayList<>(servers.properties(engines));
		arguments.addAll(List.of(properties));
		try (JavaProcess application = JavaProcess.start(OneLock.class, arguments)) {
			assertThat(application.awaitEnd()).as(application::log).isZero();
			assertThat(application.log().lines().filter(OneLock.HELD::equals)).hasSize(locks);
		}
	}

}
