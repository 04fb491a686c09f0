package io.idempotent.agents;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.idempotent.Idempotent;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;

import org.springframework.ai.mcp.annotation.McpMeta;
import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.ai.mcp.annotation.context.McpSyncRequestContext;

/**
 * Tools for orders, which count what they have done.
 */
class Orders {

	private final List<String> placed = new CopyOnWriteArrayList<>();

	private final CountDownLatch started = new CountDownLatch(1);

	private final CountDownLatch delivered = new CountDownLatch(1);

	List<String> placed() {
		return this.placed;
	}

	CountDownLatch started() {
		return this.started;
	}

	CountDownLatch delivered() {
		return this.delivered;
	}

	private int place(String order) {
		this.placed.add(order);
		return this.placed.size();
	}

	@McpTool(description = "Places an order")
	@Idempotent
	public String order(String item, int count, McpMeta meta) {
		return "order " + place(item + " " + count);
	}

	@McpTool(name = "order-of-context")
	@Idempotent
	public Order orderOfContext(McpSyncRequestContext context, String item) {
		return new Order(item, place(item));
	}

	@McpTool(name = "order-of-request")
	@Idempotent
	public CallToolResult orderOfRequest(CallToolRequest request) {
		String item = (String) request.arguments().get("item");
		return CallToolResult.builder()
			.addTextContent("ordered " + item)
			.structuredContent(Map.of("item", item, "number", place(item)))
			.build();
	}

	@McpTool(name = "order-of-arguments")
	@Idempotent(key = "#request.arguments")
	public String orderOfArguments(CallToolRequest request, String item) {
		return "order " + place(item);
	}

	@McpTool(name = "order-of-metadata")
	@Idempotent(key = "{#meta.meta['com.example/run'], #item}")
	public String orderOfMetadata(McpMeta meta, String item) {
		return "order " + place(item);
	}

	@McpTool(name = "order-with-id", generateOutputSchema = true)
	@Idempotent(key = "#id")
	public Order orderWithId(String id, String item) {
		return new Order(item, place(id));
	}

	@McpTool(name = "order-slowly")
	@Idempotent(key = "#id", message = "The order is on its way.")
	public String orderSlowly(String id) throws InterruptedException {
		int number = place(id);
		this.started.countDown();
		this.delivered.await();
		return "order " + number;
	}

	@McpTool
	public String status(String order) {
		return "unknown";
	}

	record Order(String item, int number) {
	}

}
