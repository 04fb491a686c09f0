package com.example;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.contract.store.IdempotencyStoreContract;
import io.idempotent.store.IdempotencyStore;

class MapStoreTests extends IdempotencyStoreContract {

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

	private final MapStore store = new MapStore(this.now::get);

	@Override
	protected IdempotencyStore store() {
		return this.store;
	}

	@Override
	protected void pass(Duration time) {
		this.now.updateAndGet((instant) -> instant.plus(time));
	}

}
