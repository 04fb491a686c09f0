package io.idempotent.lock.redis;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What every lock engine promises, and that fair locks are granted in turn.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class RedissonLockEngineContract extends LockEngineContract {

	abstract TestRedisson clients();

	@Override
	protected boolean takesTurns() {
		return true;
	}

	@Override
	protected LockEngine node() {
		return clients().node();
	}

	@Override
	protected void close(LockEngine engine) {
		clients().close(engine);
	}

}
