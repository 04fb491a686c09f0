package io.idempotent.versions;

import io.idempotent.Idempotent;
import io.idempotent.versions.OrderApplication.NewOrder;

import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.stereotype.Component;

/**
 * Takes orders of agents.
 */
@Component
class OrderTools {

	private final Orders orders;

	OrderTools(Orders orders) {
		this.orders = orders;
	}

	@McpTool(description = "Places an order")
	@Idempotent(key = "#article")
	public String order(String article) {
		return "order " + this.orders.place(new NewOrder(article)).id();
	}

}
