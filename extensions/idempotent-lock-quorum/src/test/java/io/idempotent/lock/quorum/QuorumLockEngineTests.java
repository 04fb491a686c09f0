package io.idempotent.lock.quorum;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class QuorumLockEngineTests extends LockEngineContract {

	@AutoClose
	private static FiveServers servers;

	@BeforeAll
	static void start() {
		servers = FiveServers.start();
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
