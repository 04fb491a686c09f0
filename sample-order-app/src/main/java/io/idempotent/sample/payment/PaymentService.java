package io.idempotent.sample.payment;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.idempotent.sample.order.OrderService;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class PaymentService {

	private final PaymentRepository payments;

	private final OrderService orders;

	PaymentService(PaymentRepository payments, OrderService orders) {
		this.payments = payments;
		this.orders = orders;
	}

	@Transactional
	Payment settle(NewPayment payment) {
		this.orders.requireExisting(payment.orderId());
		BigDecimal amount = payment.amount().setScale(2, RoundingMode.UNNECESSARY);
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		try {
			return this.payments.save(new Payment(null, payment.orderId(), amount, now));
		}
		catch (DuplicateKeyException ex) {
			throw new OrderSettledException(payment.orderId(), ex);
		}
	}

	List<Payment> findAll() {
		return this.payments.findAllByOrderById();
	}

}
