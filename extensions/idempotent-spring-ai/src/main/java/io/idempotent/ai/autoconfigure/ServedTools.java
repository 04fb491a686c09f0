package io.idempotent.ai.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.function.SingletonSupplier;

/**
 * The tools that an MCP server is built with. Sets their {@code idempotentHint}, which
 * means: calling the tool repeatedly <em>with the same arguments</em> has no additional
 * effect. That is so if the key comes from the arguments alone, and not if it comes from
 * the metadata.
 */
final class ServedTools implements BeanPostProcessor {

	private final Supplier<Set<String>> hinted;

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	ServedTools(Supplier<List<ToolMethod>> methods) {
		this.hinted = SingletonSupplier.of(() -> methods.get()
			.stream()
			.filter(ToolMethod::hasKeyOfArguments)
			.flatMap(ToolMethod::names)
			.collect(Collectors.toUnmodifiableSet()));
	}

	boolean contain(String name) {
		return this.names.contains(name);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof List<?> list) || list.stream().noneMatch(ServedTools::isTool)) {
			return bean;
		}
		List<Object> served = list.stream().map(this::served).toList();
		return served.equals(list) ? bean : served;
	}

	private static boolean isTool(@Nullable Object element) {
		return element instanceof McpServerFeatures.SyncToolSpecification
				|| element instanceof McpServerFeatures.AsyncToolSpecification
				|| element instanceof McpStatelessServerFeatures.SyncToolSpecification
				|| element instanceof McpStatelessServerFeatures.AsyncToolSpecification;
	}

	private Object served(Object element) {
		if (element instanceof McpServerFeatures.SyncToolSpecification sync) {
			return new McpServerFeatures.SyncToolSpecification(served(sync.tool()), sync.callHandler());
		}
		if (element instanceof McpServerFeatures.AsyncToolSpecification async) {
			return new McpServerFeatures.AsyncToolSpecification(served(async.tool()), async.callHandler());
		}
		if (element instanceof McpStatelessServerFeatures.SyncToolSpecification sync) {
			return new McpStatelessServerFeatures.SyncToolSpecification(served(sync.tool()), sync.callHandler());
		}
		if (element instanceof McpStatelessServerFeatures.AsyncToolSpecification async) {
			return new McpStatelessServerFeatures.AsyncToolSpecification(served(async.tool()), async.callHandler());
		}
		return element;
	}

	private Tool served(Tool tool) {
		this.names.add(tool.name());
		return this.hinted.get().contains(tool.name()) ? Tool.builder(tool.name(), tool.inputSchema())
			.title(tool.title())
			.description(tool.description())
			.outputSchema(tool.outputSchema())
			.annotations(hint(tool.annotations()))
			.meta(tool.meta())
			.icons(tool.icons())
			.build() : tool;
	}

	private static ToolAnnotations hint(@Nullable ToolAnnotations declared) {
		ToolAnnotations.Builder hints = ToolAnnotations.builder().idempotentHint(true);
		return (declared == null) ? hints.build()
				: hints.title(declared.title())
					.readOnlyHint(declared.readOnlyHint())
					.destructiveHint(declared.destructiveHint())
					.openWorldHint(declared.openWorldHint())
					.returnDirect(declared.returnDirect())
					.build();
	}

}
