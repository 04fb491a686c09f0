package io.idempotent.graphql;

import java.security.Principal;
import java.util.List;

import graphql.schema.DataFetchingEnvironment;
import io.idempotent.Idempotent;
import io.idempotent.WhenCompleted;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.stereotype.Controller;

@Controller
class Shop {

	private final Till till;

	Shop(Till till) {
		this.till = till;
	}

	@QueryMapping
	int payments() {
		return this.till.paid.get();
	}

	@MutationMapping
	@Idempotent(key = "#input.id")
	Order placeOrder(@Argument OrderInput input) {
		this.till.placed.incrementAndGet();
		return new Order(input.id(), input.items());
	}

	@MutationMapping
	@Idempotent
	Payment pay(@Argument int amount, @Argument String note, Principal payer, DataFetchingEnvironment environment)
			throws Exception {
		this.till.thread = Thread.currentThread().getName();
		this.till.before.call();
		return new Payment(this.till.paid.incrementAndGet(), amount, payer.getName());
	}

	@MutationMapping
	@PreAuthorize("hasRole('CLERK')")
	@Idempotent
	Payment refund(@Argument int amount, Principal payer, DataFetchingEnvironment environment) {
		return new Payment(this.till.paid.incrementAndGet(), -amount, payer.getName());
	}

	@MutationMapping
	@Idempotent(whenCompleted = WhenCompleted.REJECT, message = "Paid already.")
	void payAtRegister(@Argument int amount, DataFetchingEnvironment environment) {
		this.till.paid.incrementAndGet();
	}

	@SchemaMapping(typeName = "Payment")
	int receipts(Payment payment) {
		return this.till.receipts.incrementAndGet();
	}

	record OrderInput(String id, List<String> items) {
	}

	record Order(String id, List<String> items) {
	}

	record Payment(int number, int amount, String payer) {
	}

}
