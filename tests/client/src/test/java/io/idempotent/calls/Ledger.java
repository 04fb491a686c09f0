package io.idempotent.calls;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The payments of both servers, by reference: the effects.
 */
final class Ledger {

	private final AtomicLong ids = new AtomicLong();

	private final Map<String, List<Payment>> payments = new ConcurrentHashMap<>();

	Payment settle(NewPayment payment) {
		Payment settled = new Payment(this.ids.incrementAndGet(), payment.reference(), payment.amount());
		this.payments.computeIfAbsent(payment.reference(), (reference) -> new CopyOnWriteArrayList<>()).add(settled);
		return settled;
	}

	List<Payment> of(String reference) {
		return this.payments.getOrDefault(reference, List.of());
	}

	/** References with another number of payments than one. */
	List<String> wrong() {
		return this.payments.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().size() != 1)
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
	}

}
