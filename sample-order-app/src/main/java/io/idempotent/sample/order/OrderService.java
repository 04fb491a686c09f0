package io.idempotent.sample.order;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores orders.
 */
@Service
public class OrderService {

	private final OrderRepository orders;

	OrderService(OrderRepository orders) {
		this.orders = orders;
	}

	/**
	 * Places an order.
	 * @param order the order
	 * @return the placed order, with its id
	 */
	@Transactional
	public PurchaseOrder place(NewOrder order) {
		// The precision of the database, so that the order is read as it was written.
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		return this.orders.save(new PurchaseOrder(null, order.userId(), order.sku(), order.quantity(), now));
	}

	List<PurchaseOrder> findAll() {
		return this.orders.findAllByOrderById();
	}

	/**
	 * Finds an order. Fails with status 404 if it does not exist.
	 * @param id the order's id
	 * @return the order
	 */
	public PurchaseOrder get(long id) {
		return this.orders.findById(id).orElseThrow(() -> new UnknownOrderException(id));
	}

	/**
	 * Fails with status 404 if an order does not exist.
	 * @param id the order's id
	 */
	public void requireExisting(long id) {
		if (!this.orders.existsById(id)) {
			throw new UnknownOrderException(id);
		}
	}

}
