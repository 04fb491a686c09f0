package io.idempotent.ai.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.support.StartUpException;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.Tool;

import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.ai.mcp.annotation.spring.scan.AbstractMcpAnnotatedBeans;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Fails the start if an MCP server has lost an idempotent tool, or calls it without its
 * proxy.
 */
record ToolChecks(ConfigurableListableBeanFactory beans,
		Environment environment) implements SmartInitializingSingleton {

	private static final List<Class<?>> SERVERS = List.of(McpSyncServer.class, McpAsyncServer.class,
			McpStatelessSyncServer.class, McpStatelessAsyncServer.class);

	@Override
	public void afterSingletonsInstantiated() {
		this.beans.getBeanProvider(AbstractMcpAnnotatedBeans.class)
			.stream()
			.flatMap((registered) -> registered.getBeansByAnnotation(McpTool.class).stream())
			.forEach(ToolChecks::requireProxy);
		boolean scanned = this.beans.getBeanNamesForType(AbstractMcpAnnotatedBeans.class, true, false).length > 0;
		List<?> servers = SERVERS.stream().flatMap((type) -> this.beans.getBeanProvider(type).stream()).toList();
		if (scanned && !servers.isEmpty()
				&& this.environment.getProperty("spring.ai.mcp.server.capabilities.tool", Boolean.class, true)) {
			Set<String> served = servers.stream()
				.flatMap(ToolChecks::tools)
				.map(Tool::name)
				.collect(Collectors.toUnmodifiableSet());
			ToolMethod.of(this.beans).forEach((tool) -> requireServed(tool, served));
		}
	}

	private static Stream<Tool> tools(Object server) {
		if (server instanceof McpSyncServer sync) {
			return sync.listTools().stream();
		}
		if (server instanceof McpStatelessSyncServer sync) {
			return sync.listTools().stream();
		}
		return ((server instanceof McpAsyncServer async) ? async.listTools()
				: ((McpStatelessAsyncServer) server).listTools())
			.toStream();
	}

	/** Spring AI takes the bean before a circular reference has made it a proxy. */
	private static void requireProxy(Object bean) {
		ToolMethod.of("", AopUtils.getTargetClass(bean)).filter((tool) -> tool.mcpName() != null).forEach((tool) -> {
			if (!AopUtils.isAopProxy(bean)) {
				throw new StartUpException(
						"@Idempotent " + tool.description() + " is a tool whose calls bypass the proxy of its bean, "
								+ "so that nothing would make it idempotent",
						"Remove the circular reference to its bean", null);
			}
		});
	}

	private static void requireServed(ToolMethod tool, Set<String> served) {
		String name = tool.mcpName();
		if (name != null && !served.contains(name)) {
			throw new StartUpException(
					"@Idempotent " + tool.description() + " is the tool '" + name
							+ "', which the MCP server does not offer: Spring AI has skipped it",
					"Declare @McpTool on the method of the class, not of an interface, and its bean as a singleton that is "
							+ "not lazy, take McpMeta instead of McpSyncRequestContext if the server is stateless, and let "
							+ "spring.ai.mcp.server.type be SYNC",
					null);
		}
	}

}
