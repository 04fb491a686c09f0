package io.idempotent.lock.zookeeper;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.contract.lock.SharedEntryContract;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.testing.TestZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperSharedEntryTests extends SharedEntryContract {

	@AutoClose
	private static TestZooKeeper server;

	private final List<ZooKeeperLockEngine> engines = new ArrayList<>();

	@BeforeAll
	static void start() {
		server = TestZooKeeper.start();
	}

	@AfterEach
	void closeEngines() {
		this.engines.forEach(ZooKeeperLockEngine::close);
	}

	@Override
	protected SharedEntry open(String name) {
		ZooKeeperLockEngine engine = TestSettings.connect(server.connectString());
		this.engines.add(engine);
		return engine.sharedEntry(name);
	}

}
