package io.idempotent.sample.order;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Keeps the orders.
 */
@Service
public class OrderService {

	private final OrderRepository orders;

	OrderService(OrderRepository orders) {
		this.orders = orders;
	}

	@Transactional
	PurchaseOrder place(NewOrder order) {
		// What the database keeps, so that every later look at the order shows the same.
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		return this.orders.save(new PurchaseOrder(null, order.userId(), order.sku(), order.quantity(), now));
	}

	List<PurchaseOrder> findAll() {
		return this.orders.findAllByOrderById();
	}

	PurchaseOrder get(long id) {
		return this.orders.findById(id).orElseThrow(() -> new UnknownOrderException(id));
	}

	/**
	 * Makes sure that an order exists; where it does not, the request ends in a 404.
	 * @param id the order's id
	 */
	public void requireExisting(long id) {
		if (!this.orders.existsById(id)) {
			throw new UnknownOrderException(id);
		}
	}

}
