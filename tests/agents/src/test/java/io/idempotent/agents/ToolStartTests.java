package io.idempotent.agents;

import java.util.Map;

import io.idempotent.Idempotent;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.ai.mcp.annotation.McpMeta;
import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.ai.mcp.annotation.context.McpSyncRequestContext;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tools that cannot work, or not so: the start fails.
 */
class ToolStartTests {

	@Test
	void aToolWithoutKeyOrMetadataFailsTheStart() {
		assertFails(Keyless.class, "Keyless.order", "such as McpMeta");
	}

	@Test
	void aToolBehindAProxyOfInterfacesFailsTheStart() {
		assertFails(Interfaced.class, "Interfaced.order", "implements interfaces only",
				"--spring.aop.proxy-target-class=false");
	}

	@Test
	void aToolAnnotatedOnAnInterfaceFailsTheStart() {
		assertFails(Inherited.class, "Inherited.order", "Spring AI has skipped it");
	}

	@Test
	void aReactiveToolFailsTheStart() {
		assertFails(Reactive.class, "Reactive.order", "reactor.core.publisher.Mono");
	}

	@Test
	void aRequestContextOfAStatelessServerFailsTheStart() {
		assertFails(Contextual.class, "Contextual.order", "Spring AI has skipped it",
				"--spring.ai.mcp.server.protocol=STATELESS");
	}

	@Test
	void aToolOfAnAsynchronousServerFailsTheStart() {
		assertFails(Plain.class, "Plain.order", "Spring AI has skipped it", "--spring.ai.mcp.server.type=ASYNC");
	}

	@Test
	void aLazyToolFailsTheStart() {
		assertFails(Late.class, "Late.order", "Spring AI has skipped it");
	}

	@Test
	void aToolThatBypassesItsProxyFailsTheStart() {
		assertFails(Circle.class, "Circle.order", "bypass the proxy", "--spring.main.allow-circular-references=true");
	}

	@Test
	void aCallbackOfAClassThatIsNotPublicFailsTheStart() {
		assertFails(Hidden.class, "Hidden.order", "its class is not public");
	}

	@Test
	void aStatelessServerReplays() {
		try (ConfigurableApplicationContext context = start(Plain.class, "--spring.ai.mcp.server.protocol=STATELESS")) {
			int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			try (Agent agent = new Agent(port)) {
				String first = Agent.text(agent.call("order", Map.of("item", "pen"), "1"));
				assertThat(first).startsWith("pen ");
				assertThat(Agent.text(agent.call("order", Map.of("item", "pen"), "1"))).isEqualTo(first);
			}
		}
	}

	@Test
	void toolsThatAreSwitchedOffNeedNotBeOffered() {
		start(Plain.class, "--spring.ai.mcp.server.capabilities.tool=false").close();
		start(Plain.class, "--spring.ai.mcp.server.enabled=false").close();
		start(Plain.class, "--spring.ai.mcp.server.annotation-scanner.enabled=false").close();
	}

	private static void assertFails(Class<?> tool, String name, String reason, String... arguments) {
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> start(tool, arguments))
			.withMessageContaining("@Idempotent " + name)
			.withMessageContaining(reason);
	}

	private static ConfigurableApplicationContext start(Class<?> tool, String... arguments) {
		return new SpringApplicationBuilder(Server.class, tool).run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Server {

	}

	static class Plain {

		@McpTool
		@Idempotent
		public String order(String item, McpMeta meta) {
			return item + " " + System.nanoTime();
		}

	}

	static class Keyless {

		@McpTool
		@Idempotent
		public String order(String item) {
			return item;
		}

	}

	interface Ordering {

		String order(String item);

	}

	static class Interfaced implements Ordering {

		@McpTool
		@Idempotent(key = "#item")
		@Override
		public String order(String item) {
			return item;
		}

	}

	interface ToolOrdering {

		@McpTool
		@Idempotent(key = "#item")
		String order(String item);

	}

	static class Inherited implements ToolOrdering {

		@Override
		public String order(String item) {
			return item;
		}

	}

	static class Reactive {

		@McpTool
		@Idempotent(key = "#item")
		public Mono<String> order(String item) {
			return Mono.just(item);
		}

	}

	static class Contextual {

		@McpTool
		@Idempotent
		public String order(McpSyncRequestContext context, String item) {
			return item;
		}

	}

	@Import(Neighbour.class)
	static class Circle {

		@Autowired
		private Neighbour neighbour;

		@McpTool
		@Idempotent(key = "#item")
		public String order(String item) {
			return item + this.neighbour;
		}

	}

	static class Neighbour {

		@Autowired
		private Circle circle;

		@Override
		public String toString() {
			return "neighbour of " + this.circle.getClass();
		}

	}

	@Lazy
	static class Late extends Plain {

	}

	static class Hidden {

		@Tool
		@Idempotent(key = "#item")
		public String order(String item) {
			return item;
		}

	}

}
