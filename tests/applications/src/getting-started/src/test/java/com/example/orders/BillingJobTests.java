package com.example.orders;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.idempotent.lock.AcquiredLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

@SpringJUnitConfig({ BillingJob.class, Orders.class })
@AutoConfigureIdempotency
class BillingJobTests {

	@Autowired
	private BillingJob job;

	@Autowired
	private Orders orders;

	@Autowired
	private DistributedLocks locks;

	@MockitoBean
	private Billing billing;

	@Test
	void oneNodeAtATimeBillsTheOrders() throws Exception {
		int order = this.orders.place("mate").number();
		try (AcquiredLock otherNode = this.locks.get("billing").acquire(Duration.ZERO)) {
			CompletableFuture.runAsync(this.job::run).join();
			verifyNoInteractions(this.billing);
		}
		this.job.run();
		verify(this.billing).bill(order);
	}

}
