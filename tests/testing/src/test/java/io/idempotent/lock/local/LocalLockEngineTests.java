package io.idempotent.lock.local;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;

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
