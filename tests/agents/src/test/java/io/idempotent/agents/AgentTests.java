package io.idempotent.agents;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.mcp.annotation.McpMeta;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Agents that repeat calls of tools.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@DirtiesContext
class AgentTests {

	private static final Map<String, Object> PEN = Map.of("item", "pen", "count", 1);

	private final String key = UUID.randomUUID().toString();

	@LocalServerPort
	private int port;

	@Autowired
	private Orders orders;

	@Autowired
	private Tickets tickets;

	@Test
	void aRetryInAnotherSessionGetsTheFirstResult() {
		CallToolResult first = call("order", PEN, this.key);
		int placed = this.orders.placed().size();
		CallToolResult retry = call("order", PEN, this.key);
		assertThat(first.isError()).isNotEqualTo(true);
		assertThat(Agent.text(retry)).isEqualTo(Agent.text(first)).startsWith("order ");
		assertThat(this.orders.placed()).hasSize(placed);
	}

	@Test
	void anotherKeyIsAnotherOperation() {
		String first = Agent.text(call("order", PEN, this.key));
		assertThat(Agent.text(call("order", PEN, "other " + this.key))).contains("no key");
		assertThat(Agent.text(call("order", PEN, "other-" + this.key))).isNotEqualTo(first);
	}

	@Test
	void aUsedKeyWithOtherArgumentsIsRefused() {
		call("order", PEN, this.key);
		int placed = this.orders.placed().size();
		CallToolResult other = call("order", Map.of("item", "pen", "count", 2), this.key);
		assertThat(other.isError()).isTrue();
		assertThat(Agent.text(other)).startsWith("Nothing was done: the key of this call was used with other arguments")
			.contains("key-reused");
		assertThat(this.orders.placed()).hasSize(placed);
	}

	@Test
	void aCallWithoutKeyIsRefusedAsAnErrorOfTheTool() {
		int placed = this.orders.placed().size();
		CallToolResult result = call("order", PEN, null);
		assertThat(result.isError()).isTrue();
		assertThat(Agent.text(result)).startsWith("Nothing was done: the call has no key").contains(Agent.KEY);
		assertThat(this.orders.placed()).hasSize(placed);
	}

	@Test
	void callersWithTheSameKeyDoNotMeet() {
		String alice = text("alice");
		String bob = text("bob");
		assertThat(bob).isNotEqualTo(alice);
		assertThat(text("alice")).isEqualTo(alice);
		assertThat(Agent.text(call("order", PEN, this.key))).isNotIn(alice, bob);
	}

	private String text(String user) {
		try (Agent agent = new Agent(this.port, user)) {
			return Agent.text(agent.call("order", PEN, this.key));
		}
	}

	@Test
	void aCallerWithoutNameIsRefused() {
		assertThat(text("")).contains("the caller is not known", "caller-unnamed");
	}

	@Test
	void aCallWithoutRequestHasNoCaller() {
		McpMeta meta = new McpMeta(Map.of(Agent.KEY, this.key));
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> this.orders.order("pen", 1, meta))
			.returns(Refusal.CALLER_UNNAMED, SubmissionRefusedException::refusal);
	}

	/** Encoders of addresses write a question mark for both. */
	@Test
	void callersWhoseNamesAreNoTextDoNotMeet() {
		String first = orderAs("\ud800");
		assertThat(orderAs("\ud801")).isNotEqualTo(first);
		assertThat(orderAs("\ud800")).isEqualTo(first);
	}

	private String orderAs(String user) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setUserPrincipal(() -> user);
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
		try {
			return this.orders.order("pen", 1, new McpMeta(Map.of(Agent.KEY, this.key)));
		}
		finally {
			RequestContextHolder.resetRequestAttributes();
		}
	}

	@Test
	void aRecordIsReplayed() {
		CallToolResult first = call("order-of-context", Map.of("item", "ink"), this.key);
		assertThat(Agent.text(first)).contains("\"item\":\"ink\"");
		assertThat(call("order-of-context", Map.of("item", "ink"), this.key)).isEqualTo(first);
	}

	@Test
	void aStructuredResultIsReplayed() {
		CallToolResult first = call("order-of-request", Map.of("item", "cup"), this.key);
		assertThat(first.structuredContent().toString()).contains("cup");
		assertThat(Agent.text(first)).isEqualTo("ordered cup");
		assertThat(call("order-of-request", Map.of("item", "cup"), this.key)).isEqualTo(first);
		assertThat(this.orders.placed()).containsOnlyOnce("cup");
	}

	@Test
	void argumentsThatTheToolReadsFromItsRequestAreCompared() {
		call("order-of-request", Map.of("item", "mug"), this.key);
		CallToolResult other = call("order-of-request", Map.of("item", "jug"), this.key);
		assertThat(other.isError()).isTrue();
		assertThat(Agent.text(other)).contains("key-reused");
		assertThat(this.orders.placed()).doesNotContain("jug");
	}

	@Test
	void anArgumentIsTheKey() {
		Map<String, Object> order = Map.of("id", this.key, "item", "box");
		CallToolResult first = call("order-with-id", order, null);
		assertThat(first.structuredContent().toString()).contains("box");
		assertThat(call("order-with-id", order, null)).isEqualTo(first);
		assertThat(this.orders.placed()).containsOnlyOnce(this.key);
	}

	@Test
	void theArgumentsOfARequestAreTheKey() {
		Map<String, Object> order = Map.of("item", "lid " + this.key);
		String first = Agent.text(call("order-of-arguments", order, null));
		assertThat(Agent.text(call("order-of-arguments", order, this.key))).isEqualTo(first).startsWith("order ");
	}

	@Test
	void metadataOfAnotherNameCanBePartOfTheKey() {
		Map<String, Object> run = Map.of("com.example/run", this.key);
		try (Agent agent = new Agent(this.port)) {
			String cap = Agent.text(agent.callWith(run, "order-of-metadata", Map.of("item", "cap")));
			String hat = Agent.text(agent.callWith(run, "order-of-metadata", Map.of("item", "hat")));
			assertThat(hat).isNotEqualTo(cap).startsWith("order ");
			assertThat(Agent.text(agent.callWith(run, "order-of-metadata", Map.of("item", "cap")))).isEqualTo(cap);
		}
	}

	@Test
	void anAgentThatGaveUpGetsTheResultWithItsRetry() throws InterruptedException {
		Map<String, Object> order = Map.of("id", this.key);
		try (Agent impatient = new Agent(this.port, null, Duration.ofSeconds(4))) {
			assertThatThrownBy(() -> impatient.call("order-slowly", order, null)).hasStackTraceContaining("Timeout");
		}
		this.orders.started().await();
		CallToolResult meanwhile = call("order-slowly", order, null);
		this.orders.delivered().countDown();
		assertThat(meanwhile.isError()).isTrue();
		assertThat(Agent.text(meanwhile)).startsWith("The order is on its way. This call is running already")
			.contains("in-progress");
		CallToolResult retry = call("order-slowly", order, null);
		while (Agent.text(retry).contains("in-progress")) {
			retry = call("order-slowly", order, null);
		}
		assertThat(Agent.text(retry)).startsWith("order ");
		assertThat(this.orders.placed()).containsOnlyOnce(this.key);
	}

	@Test
	void aToolCallbackIsIdempotentForAgents() {
		Map<String, Object> ticket = Map.of("id", this.key);
		String first = Agent.text(call("open-ticket", ticket, null));
		assertThat(Agent.text(call("open-ticket", ticket, null))).isEqualTo(first);
		assertThat(this.tickets.opened()).containsOnlyOnce(this.key);
	}

	@Test
	void aToolCallbackDoesNotSeeTheMetadataOfAgents() {
		CallToolResult result = call("open-ticket-in-context", Map.of("subject", "fire"), this.key);
		assertThat(result.isError()).isTrue();
		assertThat(Agent.text(result)).contains("no key");
	}

	@Test
	void theContextOfAToolHasItsKey() {
		ToolCallback tool = tool("open-ticket-in-context");
		ToolContext context = new ToolContext(Map.of(Agent.KEY, this.key));
		String first = tool.call("{\"subject\":\"lamp\"}", context);
		assertThat(tool.call("{\"subject\":\"lamp\"}", context)).isEqualTo(first);
		assertThat(this.tickets.opened()).containsOnlyOnce("lamp");
		assertThatThrownBy(() -> tool.call("{\"subject\":\"desk\"}", context)).hasMessageContaining("other arguments");
	}

	private ToolCallback tool(String name) {
		for (ToolCallback tool : ToolCallbacks.from(this.tickets)) {
			if (tool.getToolDefinition().name().equals(name)) {
				return tool;
			}
		}
		throw new IllegalArgumentException(name);
	}

	private CallToolResult call(String tool, Map<String, Object> arguments, @Nullable String key) {
		try (Agent agent = new Agent(this.port)) {
			return agent.call(tool, arguments, key);
		}
	}

}
