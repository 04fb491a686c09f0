package io.idempotent.lock.zookeeper;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.contract.lock.EpochStoreContract;
import io.idempotent.lock.engine.EpochStore;
import io.idempotent.testing.TestZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperEpochStoreTests extends EpochStoreContract {

	private static TestZooKeeper server;

	private final List<ZooKeeperLockEngine> engines = new ArrayList<>();

	@BeforeAll
	static void startServer() throws Exception {
		server = TestZooKeeper.start();
	}

	@AfterAll
	static void stopServer() throws Exception {
		server.close();
	}

	@AfterEach
	void closeEngines() {
		this.engines.forEach(ZooKeeperLockEngine::close);
	}

	@Override
	protected EpochStore open(String name) {
		ZooKeeperLockEngine engine = ZooKeeperLockEngine.connect(TestSettings.of(server.connectString()));
		this.engines.add(engine);
		return engine.epochStore(name);
	}

}
