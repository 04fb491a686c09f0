package com.example;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;

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
