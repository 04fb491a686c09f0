package io.idempotent.ai.autoconfigure;

import io.idempotent.ai.autoconfigure.ToolIdentity.ToolCaller;
import io.idempotent.method.MessageIdentity;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.ApplicationMessages;
import io.idempotent.webmvc.CallerResolver;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import tools.jackson.databind.JacksonModule;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.mcp.annotation.McpMeta;
import org.springframework.ai.mcp.annotation.context.McpSyncRequestContext;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Auto-configuration for {@link io.idempotent.Idempotent @Idempotent} tools of Spring AI:
 * {@code @McpTool} and {@code @Tool}.
 */
@AutoConfiguration(afterName = "io.idempotent.boot.IdempotencyCallAutoConfiguration")
@ConditionalOnClass(value = MessageIdentity.class, name = "org.springframework.ai.tool.annotation.Tool")
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class ToolAutoConfiguration {

	/** Right outside idempotency, and inside method security. */
	@Bean("io.idempotent.idempotentToolRefusalAdvisor")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotatedMethodAdvisor idempotentToolRefusalAdvisor(ApplicationContext context) {
		return new AnnotatedMethodAdvisor(ToolMethod::isTool, AdvisorOrder.IDEMPOTENCY - 1,
				new ToolRefusals(new ApplicationMessages(context)));
	}

	@Bean("io.idempotent.idempotentToolProxyCheck")
	SmartInitializingSingleton idempotentToolProxyCheck(ConfigurableListableBeanFactory beans) {
		return () -> ToolMethod.of(beans).forEach((tool) -> tool.requireCallable(beans));
	}

	/** The application itself puts the key there. */
	@Bean("io.idempotent.idempotentToolContextIdentity")
	MessageIdentity idempotentToolContextIdentity() {
		return new ToolIdentity<>(ToolContext.class, ToolContext::getContext, (context) -> null, ToolCaller.UNKNOWN);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ McpMeta.class, CallToolRequest.class })
	static class McpConfiguration {

		@Bean("io.idempotent.idempotentMcpMetaIdentity")
		MessageIdentity idempotentMcpMetaIdentity(ObjectProvider<ToolCaller> caller) {
			return new ToolIdentity<>(McpMeta.class, McpMeta::meta, (meta) -> null,
					caller.getIfAvailable(() -> ToolCaller.UNKNOWN));
		}

		@Bean("io.idempotent.idempotentMcpRequestIdentity")
		MessageIdentity idempotentMcpRequestIdentity(ObjectProvider<ToolCaller> caller) {
			return new ToolIdentity<>(CallToolRequest.class, CallToolRequest::meta, CallToolRequest::arguments,
					caller.getIfAvailable(() -> ToolCaller.UNKNOWN));
		}

		@Bean("io.idempotent.idempotentMcpRequestContextIdentity")
		MessageIdentity idempotentMcpRequestContextIdentity(ObjectProvider<ToolCaller> caller) {
			return new ToolIdentity<>(McpSyncRequestContext.class, McpSyncRequestContext::requestMeta,
					(context) -> (context.request() instanceof CallToolRequest request) ? request.arguments() : null,
					caller.getIfAvailable(() -> ToolCaller.UNKNOWN));
		}

		@Bean("io.idempotent.idempotentToolChecks")
		ToolChecks idempotentToolChecks(ConfigurableListableBeanFactory beans, Environment environment) {
			return new ToolChecks(beans, environment);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(JacksonModule.class)
		static class JsonConfiguration {

			@Bean("io.idempotent.idempotentCallToolResultModule")
			JacksonModule idempotentCallToolResultModule() {
				return new CallToolResultModule();
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ CallerResolver.class, RequestContextHolder.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class CallerConfiguration {

		@Bean("io.idempotent.idempotentToolCaller")
		ToolCaller idempotentToolCaller(ObjectProvider<CallerResolver> callers) {
			return new RequestCaller(callers.getIfAvailable(() -> CallerResolver::principal));
		}

	}

}
