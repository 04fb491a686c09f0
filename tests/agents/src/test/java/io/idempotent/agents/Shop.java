package io.idempotent.agents;

import java.security.Principal;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * An MCP server that takes orders.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

	static final String USER = "X-User";

	@Bean
	Orders orders() {
		return new Orders();
	}

	@Bean
	Tickets tickets() {
		return new Tickets();
	}

	@Bean
	ToolCallbackProvider ticketTools(Tickets tickets) {
		return MethodToolCallbackProvider.builder().toolObjects(tickets).build();
	}

	/** Stands for authentication. */
	@Bean
	Filter principals() {
		return (request, response, chain) -> {
			String user = ((HttpServletRequest) request).getHeader(USER);
			chain.doFilter(new HttpServletRequestWrapper((HttpServletRequest) request) {

				@Override
				public @Nullable Principal getUserPrincipal() {
					return (user != null) ? () -> user : null;
				}

			}, response);
		};
	}

}
