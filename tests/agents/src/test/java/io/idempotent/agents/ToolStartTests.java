package io.idempotent.agents;

import java.util.Map;
import java.util.stream.Stream;

import io.idempotent.Idempotent;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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

	static Stream<Arguments> unworkable() {
		return Stream.of(Arguments.of("without key or metadata", Keyless.class, "such as McpMeta", ""),
				Arguments.of("behind a proxy of interfaces", Interfaced.class, "implements interfaces only",
						"--spring.aop.proxy-target-class=false"),
				Arguments.of("annotated on an interface", Inherited.class, "Spring AI has skipped it", ""),
				Arguments.of("reactive", Reactive.class, "reactor.core.publisher.Mono", ""),
				Arguments.of("with the request context of a stateless server", Contextual.class,
						"Spring AI has skipped it", "--spring.ai.mcp.server.protocol=STATELESS"),
				Arguments.of("of an asynchronous server", Plain.class, "Spring AI has skipped it",
						"--spring.ai.mcp.server.type=ASYNC"),
				Arguments.of("lazy", Late.class, "Spring AI has skipped it", ""),
				Arguments.of("that bypasses its proxy", Circle.class, "bypass the proxy",
						"--spring.main.allow-circular-references=true"),
				Arguments.of("a callback of a class that is not public", Hidden.class, "its class is not public", ""));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("unworkable")
	void aToolThatCannotWorkFailsTheStart(String kind, Class<?> tool, String reason, String argument) {
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> start(tool, argument))
			.withMessageContaining("@Idempotent " + tool.getSimpleName() + ".order")
			.withMessageContaining(reason);
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
