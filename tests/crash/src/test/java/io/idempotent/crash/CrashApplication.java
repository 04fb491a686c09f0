package io.idempotent.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import javax.sql.DataSource;

import io.idempotent.OutcomeRecoverer;
import io.idempotent.OutcomeVerifier;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.IdempotencyStore;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A small application whose requests can be made to stand still anywhere on their way. It
 * does as its standard input says, and ends with it.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = { SecurityAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class,
		SecurityFilterAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class })
@Import({ EffectController.class, EffectService.class, Breakpoints.class, CrashApplication.BreakpointFilter.class })
class CrashApplication {

	static final String POINT_HEADER = "Crash-Point";

	/** What the process says once it listens. */
	static final String LISTENING = "listening ";

	static final String HALT = "halt";

	static final String GO_ON = "go on";

	/**
	 * More than a cold process needs for its first requests, all at once, on a busy
	 * machine.
	 */
	static final Duration TIMEOUT = Duration.ofSeconds(15);

	public static void main(String[] arguments) throws IOException {
		ConfigurableApplicationContext context = SpringApplication.run(CrashApplication.class, arguments);
		Breakpoints breakpoints = context.getBean(Breakpoints.class);
		System.out.println(LISTENING + context.getEnvironment().getProperty("local.server.port"));
		BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String order = orders.readLine(); order != null; order = orders.readLine()) {
			if (order.equals(HALT)) {
				breakpoints.halt();
			}
			else {
				breakpoints.goOn();
			}
		}
		Runtime.getRuntime().halt(0);
	}

	@Bean
	OutcomeVerifier outcomeVerifier(EffectService effects) {
		return (operation) -> effects.find(operation.keyValue()).isPresent() ? OutcomeVerifier.Verdict.HAPPENED
				: OutcomeVerifier.Verdict.DID_NOT_HAPPEN;
	}

	@Bean
	OutcomeRecoverer effectRecoverer(EffectService effects) {
		return (operation) -> effects.find(operation.keyValue()).map(String::valueOf);
	}

	@Bean
	IdempotencyStore idempotencyStore(@Value("${crash.store}") CrashStore store,
			@Value("${crash.forgetful:false}") boolean forgetful, RedisConnectionFactory redis, DataSource database,
			Breakpoints breakpoints) {
		IdempotencyStore real = switch (store) {
			case REDIS -> new RedisIdempotencyStore(redis, "idem:", TIMEOUT);
			case JDBC -> new JdbcIdempotencyStore(database, "idempotent_record", TIMEOUT);
		};
		return new BreakableStore(real, breakpoints, forgetful);
	}

	/**
	 * Tells what a request is to stand still for, and notices the answer: it is held back
	 * until the outcome is recorded, so its way to the client opens last of all.
	 */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static final class BreakpointFilter extends OncePerRequestFilter {

		private final Breakpoints breakpoints;

		BreakpointFilter(Breakpoints breakpoints) {
			this.breakpoints = breakpoints;
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String point = request.getHeader(POINT_HEADER);
			if (point != null) {
				this.breakpoints.arm(CrashPoint.valueOf(point), request.getHeader("Idempotency-Key"));
			}
			try {
				chain.doFilter(request, new BreakableResponse(response, this.breakpoints));
			}
			finally {
				this.breakpoints.disarm();
			}
		}

	}

	private static final class BreakableResponse extends HttpServletResponseWrapper {

		private final Breakpoints breakpoints;

		BreakableResponse(HttpServletResponse response, Breakpoints breakpoints) {
			super(response);
			this.breakpoints = breakpoints;
		}

		@Override
		public ServletOutputStream getOutputStream() throws IOException {
			this.breakpoints.pass(CrashPoint.BEFORE_RESPONSE);
			return super.getOutputStream();
		}

	}

	/** Where the records are kept. */
	enum CrashStore {

		REDIS, JDBC

	}

}
