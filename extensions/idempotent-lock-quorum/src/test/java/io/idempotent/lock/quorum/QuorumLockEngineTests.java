package io.idempotent.lock.quorum;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class QuorumLockEngineTests extends LockEngineContract {

	private static FiveServers servers;

	@BeforeAll
	static void startServers() {
		servers = FiveServers.start();
	}

	@AfterAll
	static void stopServers() {
		servers.close();
	}

	@Override
	protected boolean passesOn() {
		return false;
	}

	@Override
	protected LockEngine node() {
		return servers.node();
	}

}
