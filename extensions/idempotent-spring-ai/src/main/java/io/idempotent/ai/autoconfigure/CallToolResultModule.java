package io.idempotent.ai.autoconfigure;

import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * Reads stored results of tools as the MCP SDK reads them. Its structured content has no
 * type of its own: it is JSON, and is sent as such.
 */
final class CallToolResultModule extends SimpleModule {

	@Serial
	private static final long serialVersionUID = 1L;

	CallToolResultModule() {
		super("io.idempotent.ai");
		addDeserializer(CallToolResult.class, new ValueDeserializer<>() {

			@Override
			public CallToolResult deserialize(JsonParser parser, DeserializationContext context) {
				try {
					return McpJsonDefaults.getMapper()
						.readValue(context.readTree(parser).toString(), CallToolResult.class);
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}

		});
	}

}
