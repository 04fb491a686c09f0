package com.example.shop;

import java.util.List;

import io.idempotent.Idempotent;
import io.idempotent.client.DerivedKeys;

import org.springframework.stereotype.Service;

@Service
class OrderService {

	private final PaymentClient payments;

	private final DerivedKeys keys;

	OrderService(PaymentClient payments, DerivedKeys keys) {
		this.payments = payments;
		this.keys = keys;
	}

	@Idempotent(key = "#batch")
	public void settle(String batch, List<Long> orders) {
		for (Long order : orders) {
			this.payments.pay(new NewPayment(order), this.keys.derive("charge-" + order));
		}
	}

}
