package com.example;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.test.contract.LockEngineContract;

class MapLockEngineTests extends LockEngineContract {

	private final MapLockEngine.Server server = new MapLockEngine.Server();

	@Override
	protected LockEngine node() {
		return new MapLockEngine(this.server);
	}

	@Override
	protected boolean passesOn() {
		return false;
	}

}
