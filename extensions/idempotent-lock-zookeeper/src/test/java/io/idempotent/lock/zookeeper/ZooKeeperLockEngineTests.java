package io.idempotent.lock.zookeeper;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.testing.TestZooKeeper;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperLockEngineTests extends LockEngineContract {

	@AutoClose
	private static TestZooKeeper server;

	@BeforeAll
	static void start() {
		server = TestZooKeeper.start();
	}

	@Override
	protected boolean takesTurns() {
		return true;
	}

	@Override
	protected LockEngine node() {
		return TestSettings.connect(server.connectString());
	}

	@Override
	protected boolean passesOn() {
		return false;
	}

	@Override
	protected boolean leasesEndByThemselves() {
		return false;
	}

}
