package io.idempotent.agents;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.idempotent.Idempotent;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.annotation.Tool;

/**
 * Tools of Spring AI, for its own chat clients and, with callbacks, for MCP clients.
 */
public class Tickets {

	private final List<String> opened = new CopyOnWriteArrayList<>();

	List<String> opened() {
		return this.opened;
	}

	@Tool(name = "open-ticket")
	@Idempotent(key = "#id")
	public String open(String id) {
		this.opened.add(id);
		return "ticket " + this.opened.size();
	}

	@Tool(name = "open-ticket-in-context")
	@Idempotent
	public String openInContext(String subject, ToolContext context) {
		this.opened.add(subject);
		return "ticket " + this.opened.size();
	}

}
