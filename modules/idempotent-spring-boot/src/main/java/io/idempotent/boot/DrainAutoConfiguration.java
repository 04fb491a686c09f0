package io.idempotent.boot;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.engine.IdempotencyGate;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Auto-configuration for the graceful closing of connections when the application stops.
 */
@AutoConfiguration
@ConditionalOnClass(IdempotencyGate.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnProperty("idempotent.web.drain-time")
@EnableConfigurationProperties(IdempotentProperties.class)
public final class DrainAutoConfiguration {

	@Bean("io.idempotent.idempotencyConnectionDrain")
	@ConditionalOnMissingBean
	ConnectionDrain idempotencyConnectionDrain(IdempotentProperties properties) {
		return new ConnectionDrain(properties.web().drainTime());
	}

	@Bean("io.idempotent.idempotencyConnectionDrainFilter")
	FilterRegistrationBean<ConnectionDrain> idempotencyConnectionDrainFilter(ConnectionDrain drain) {
		FilterRegistrationBean<ConnectionDrain> registration = new FilterRegistrationBean<>(drain);
		registration.setName("io.idempotent.idempotencyConnectionDrain");
		registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
		return registration;
	}

	/**
	 * Keeps responding for a while with {@code Connection: close} when the application
	 * stops. Otherwise the web server would drop a request that arrives on an idle
	 * connection: the client sees a reset and cannot know whether the request was
	 * processed. Readiness is already {@code REFUSING_TRAFFIC}, so that a load balancer
	 * takes the node out of rotation before the port closes.
	 */
	static final class ConnectionDrain extends OncePerRequestFilter implements SmartLifecycle {

		private final Duration time;

		private volatile boolean running;

		ConnectionDrain(Duration time) {
			this.time = time;
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			if (!this.running) {
				response.setHeader(HttpHeaders.CONNECTION, "close");
			}
			chain.doFilter(request, response);
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		/**
		 * Spring waits for the callback, for
		 * {@code spring.lifecycle.timeout-per-shutdown-phase} at most.
		 */
		@Override
		public void stop(Runnable callback) {
			stop();
			CompletableFuture.delayedExecutor(this.time.toNanos(), TimeUnit.NANOSECONDS).execute(callback);
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		/** Stops before the web server, which stops before everything else. */
		@Override
		public int getPhase() {
			return Integer.MAX_VALUE;
		}

	}

}
