package io.idempotent.agents;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;

/**
 * A client in a session of its own. Each of its requests has another JSON-RPC id and
 * another progress token.
 */
final class Agent implements AutoCloseable {

	static final String KEY = "io.idempotent/key";

	private final McpSyncClient client;

	Agent(int port) {
		this(port, null);
	}

	Agent(int port, @Nullable String user) {
		this(port, user, Duration.ofMinutes(1));
	}

	Agent(int port, @Nullable String user, Duration timeout) {
		this.client = McpClient.sync(HttpClientStreamableHttpTransport.builder("http://localhost:" + port)
			.httpRequestCustomizer((request, method, uri, body, context) -> {
				if (user != null) {
					request.header(Shop.USER, user);
				}
			})
			.build()).requestTimeout(timeout).build();
		this.client.initialize();
	}

	CallToolResult call(String tool, Map<String, Object> arguments, @Nullable String key) {
		return callWith((key != null) ? Map.of(KEY, key) : Map.of(), tool, arguments);
	}

	CallToolResult callWith(Map<String, Object> metadata, String tool, Map<String, Object> arguments) {
		Map<String, Object> meta = new HashMap<>(metadata);
		meta.put("progressToken", UUID.randomUUID().toString());
		return this.client.callTool(CallToolRequest.builder(tool).arguments(arguments).meta(meta).build());
	}

	static String text(CallToolResult result) {
		return result.content().stream().map((content) -> ((TextContent) content).text()).collect(Collectors.joining());
	}

	@Override
	public void close() {
		this.client.close();
	}

}
