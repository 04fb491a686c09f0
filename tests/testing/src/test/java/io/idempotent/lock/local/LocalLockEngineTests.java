package io.idempotent.lock.local;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.test.contract.LockEngineContract;

class LocalLockEngineTests extends LockEngineContract {

	private final LocalLockEngine memory = new LocalLockEngine();

	@Override
	protected LockEngine node() {
		return this.memory;
	}

	@Override
	protected boolean leasesEndByThemselves() {
		return false;
	}

	@Override
	protected boolean takesTurns() {
		return true;
	}

}
