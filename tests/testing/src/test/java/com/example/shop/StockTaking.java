package com.example.shop;

import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;

import org.springframework.stereotype.Component;

@Component
class StockTaking {

	private final DistributedLocks locks;

	private boolean done;

	StockTaking(DistributedLocks locks) {
		this.locks = locks;
	}

	@DistributedLocked(name = "stock-taking", holdAtMost = "10m")
	public void run() {
		this.locks.requireHeld("stock-taking");
		this.done = true;
	}

	public void runUnlocked() {
		run();
	}

	public boolean isDone() {
		return this.done;
	}

}
