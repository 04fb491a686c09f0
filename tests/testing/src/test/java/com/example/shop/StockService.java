package com.example.shop;

import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.Idempotent;
import io.idempotent.lock.DistributedLocked;

import org.springframework.stereotype.Service;

@Service
class StockService {

	private final AtomicInteger pieces = new AtomicInteger();

	@Idempotent(key = "#delivery")
	public int receive(String delivery, int pieces) {
		return this.pieces.addAndGet(pieces);
	}

	@DistributedLocked(name = "stock")
	public int count() {
		return this.pieces.get();
	}

}
