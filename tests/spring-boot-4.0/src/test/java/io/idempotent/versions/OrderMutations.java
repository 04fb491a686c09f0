package io.idempotent.versions;

import java.util.List;

import graphql.schema.DataFetchingEnvironment;
import io.idempotent.Idempotent;
import io.idempotent.versions.OrderApplication.NewOrder;
import io.idempotent.versions.OrderApplication.Order;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.stereotype.Controller;

/**
 * Takes orders of clients with GraphQL.
 */
@Controller
class OrderMutations {

	private final Orders orders;

	OrderMutations(Orders orders) {
		this.orders = orders;
	}

	@QueryMapping
	List<Order> orders() {
		return this.orders.list();
	}

	@MutationMapping
	@Idempotent
	Order order(@Argument String article, DataFetchingEnvironment environment) {
		return this.orders.place(new NewOrder(article));
	}

}
