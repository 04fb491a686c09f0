package io.idempotent.crash;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.submission.event.SubmissionObserver;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.ResponseStatusException;

/**
 * An application whose operations meet commits that break, and report what they meet in
 * all ways that applications have.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = { SecurityAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class,
		SecurityFilterAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class })
@RestController
class ProfileApplication {

	/** The header that tells submissions of one key apart. */
	static final String SUBMISSION = "Submission";

	private final AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();

	private final Map<String, String> outcomes = new ConcurrentHashMap<>();

	private final ThreadLocal<@Nullable String> counted = new ThreadLocal<>();

	private final JdbcClient database;

	private final TransactionTemplate transaction;

	private volatile boolean declining;

	ProfileApplication(JdbcClient database, TransactionTemplate transaction) {
		this.database = database;
		this.transaction = transaction;
	}

	@Bean
	static FaultyCommits dataSource() {
		return new FaultyCommits(ProfileSweepTests.database.dataSource());
	}

	/** The submission ends on the thread of its request. */
	@Bean
	SubmissionObserver outcomeObserver() {
		return (operation, entrance) -> (outcome) -> {
			if (this.counted.get() == null) {
				this.counted.set(outcome);
			}
		};
	}

	@Bean
	OncePerRequestFilter outcomeFilter() {
		return new OutcomeFilter(this.outcomes, this.counted);
	}

	/** Whether the next submission is declined before it begins a transaction. */
	void declineNext(boolean decline) {
		this.declining = decline;
	}

	/** What happens once between a commit and its answer. */
	void meanwhile(@Nullable Runnable what) {
		this.meanwhile.set(what);
	}

	/** What was counted, once the request has ended. */
	@Nullable String outcome(String submission) {
		return this.outcomes.get(submission);
	}

	@PostMapping("/plain")
	@ApiIdempotent(KeySource.HEADER)
	String plain(@RequestHeader("Idempotency-Key") String key) {
		return add(key, "");
	}

	@PostMapping("/unique")
	@ApiIdempotent(KeySource.HEADER)
	String unique(@RequestHeader("Idempotency-Key") String key) {
		return add(key, key);
	}

	@PostMapping("/mapped")
	@ApiIdempotent(KeySource.HEADER)
	String mapped(@RequestHeader("Idempotency-Key") String key) {
		try {
			return add(key, key);
		}
		catch (DuplicateKeyException ex) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "already settled", ex);
		}
	}

	@PostMapping("/returned")
	@ApiIdempotent(KeySource.HEADER)
	ResponseEntity<String> returned(@RequestHeader("Idempotency-Key") String key) {
		try {
			return ResponseEntity.ok(add(key, key));
		}
		catch (DuplicateKeyException ex) {
			return ResponseEntity.status(HttpStatus.CONFLICT).body("already settled");
		}
	}

	@PostMapping("/retrying")
	@ApiIdempotent(KeySource.HEADER)
	ResponseEntity<String> retrying(@RequestHeader("Idempotency-Key") String key) {
		try {
			return returned(key);
		}
		catch (ResponseStatusException declined) {
			throw declined;
		}
		catch (RuntimeException ex) {
			return returned(key);
		}
	}

	private String add(String key, String unique) {
		if (this.declining) {
			this.declining = false;
			throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED);
		}
		this.transaction.executeWithoutResult((status) -> this.database
			.sql("insert into profile_effect (operation, settled) values (?, nullif(?, ''))")
			.params(key, unique)
			.update());
		Runnable next = this.meanwhile.getAndSet(null);
		if (next != null) {
			next.run();
		}
		return "done " + key;
	}

	static void createTable(DataSource database) {
		JdbcClient.create(database).sql("""
				create table profile_effect (
					operation varchar(255) not null,
					settled varchar(255) unique
				)""").update();
	}

	/** Notes what was counted for each submission. */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	private static final class OutcomeFilter extends OncePerRequestFilter {

		private final Map<String, String> outcomes;

		private final ThreadLocal<@Nullable String> counted;

		OutcomeFilter(Map<String, String> outcomes, ThreadLocal<@Nullable String> counted) {
			this.outcomes = outcomes;
			this.counted = counted;
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			try {
				chain.doFilter(request, response);
			}
			finally {
				this.outcomes.put(request.getHeader(SUBMISSION),
						Objects.requireNonNullElse(this.counted.get(), "none"));
				this.counted.remove();
			}
		}

	}

}
