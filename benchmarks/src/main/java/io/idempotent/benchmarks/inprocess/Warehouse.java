package io.idempotent.benchmarks.inprocess;

import io.idempotent.Idempotent;
import io.idempotent.benchmarks.inprocess.Orders.Order;
import io.idempotent.lock.DistributedLocked;

/**
 * Bean methods that do nothing. Where every call is a first one, records are kept for
 * half a second only.
 */
class Warehouse {

	private static final Receipt RECEIPT = new Receipt("0123456789", 1);

	Receipt plain(Order order) {
		return RECEIPT;
	}

	@Idempotent(key = "#order.id", lease = Orders.SHORT, retention = Orders.SHORT)
	Receipt reserve(Order order) {
		return RECEIPT;
	}

	@Idempotent(key = "#order.id")
	Receipt repeat(Order order) {
		return RECEIPT;
	}

	@DistributedLocked(name = "stock")
	Receipt locked(Order order) {
		return RECEIPT;
	}

	@DistributedLocked(name = "stock", key = "#order.id")
	Receipt lockedByKey(Order order) {
		return RECEIPT;
	}

	/**
	 * What a reservation answers.
	 *
	 * @param id its name
	 * @param shelf where it is
	 */
	public record Receipt(String id, int shelf) {
	}

}
