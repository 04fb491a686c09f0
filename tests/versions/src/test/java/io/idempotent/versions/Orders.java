package io.idempotent.versions;

import java.util.List;

import io.idempotent.Idempotent;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.versions.OrderApplication.NewOrder;
import io.idempotent.versions.OrderApplication.Order;
import io.idempotent.versions.Sale.Sold;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Orders in the guarded database.
 */
@Service
class Orders {

	private static final RowMapper<Order> MAPPER = (row, number) -> new Order(row.getLong("id"),
			row.getString("article"));

	private final JdbcTemplate database;

	private final DistributedLocks locks;

	Orders(JdbcTemplate database, DistributedLocks locks) {
		this.database = database;
		this.locks = locks;
	}

	@Transactional
	Order place(NewOrder order) {
		this.database.update("insert into orders (article) values (?)", order.article());
		List<Order> all = list();
		return all.get(all.size() - 1);
	}

	@Idempotent(key = "#order")
	@Transactional
	Order placeOnce(NewOrder order) {
		return place(order);
	}

	/** Key and result have values of many types. */
	@Idempotent(key = "#sale")
	@Transactional
	Sold sell(Sale sale) {
		place(new NewOrder(sale.article()));
		return Sold.of(sale.article());
	}

	@DistributedLocked(name = "stock", fenced = true)
	@Transactional
	String takeStock() {
		return this.locks.current().orElseThrow().qualifiedName() + " on " + this.locks.engineInForce();
	}

	@DistributedLocked(name = "archive", engine = "jdbc")
	String archive() {
		return this.locks.current().orElseThrow().qualifiedName();
	}

	List<Order> list() {
		return this.database.query("select id, article from orders order by id", MAPPER);
	}

}
