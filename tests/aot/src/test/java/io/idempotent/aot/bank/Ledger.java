package io.idempotent.aot.bank;

import java.time.Instant;

import io.idempotent.Idempotent;
import io.idempotent.lock.DistributedLocked;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The rows that show how often something took effect.
 */
@Service
public class Ledger {

	private final JdbcClient database;

	public Ledger(JdbcClient database) {
		this.database = database;
	}

	@Transactional
	public Booking book(Payment payment) {
		this.database.sql("insert into booking (payment, amount) values (?, ?)")
			.params(payment.id(), payment.amount())
			.update();
		return new Booking(countOf(payment.id()), payment, Instant.now());
	}

	@Transactional
	@Idempotent(key = "#payment.id", name = "transfer")
	public Booking transfer(Payment payment) {
		return book(payment);
	}

	@DistributedLocked(name = "audit", key = "#payment.id")
	public boolean audit(Payment payment) {
		return this.database.sql("select count(*) from booking where payment = ?")
			.param(payment.id())
			.query(Integer.class)
			.single() > 0;
	}

	public int countOf(String payment) {
		return this.database.sql("select count(*) from booking where payment = ?")
			.param(payment)
			.query(Integer.class)
			.single();
	}

	public int countReceipts() {
		return this.database.sql("select count(*) from idempotent_receipt").query(Integer.class).single();
	}

}
