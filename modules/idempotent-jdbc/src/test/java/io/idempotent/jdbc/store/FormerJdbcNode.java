package io.idempotent.jdbc.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

import javax.sql.DataSource;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.Outcome;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * A node of the version before origins: its schema and its statements, as they were.
 */
final class FormerJdbcNode {

	private static final int REFUSED = 0;

	private final NamedParameterJdbcTemplate sql;

	private final Properties statements = new Properties();

	FormerJdbcNode(DataSource dataSource, String dialect) throws IOException {
		this.sql = new NamedParameterJdbcTemplate(dataSource);
		try (InputStream former = resource("former-" + dialect + ".properties")) {
			this.statements.load(former);
		}
	}

	static String schema(String platform) throws IOException {
		try (InputStream former = resource("former-schema-" + platform + ".sql")) {
			return new String(former.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	private static InputStream resource(String name) {
		return Objects.requireNonNull(FormerJdbcNode.class.getResourceAsStream(name));
	}

	/** Returns the granted attempt, or 0. */
	int claim(ClaimRequest request) {
		Map<String, Object> values = new HashMap<>(Map.of("key", request.key().digest().bytes(), "owner",
				request.owner().bytes(), "fingerprint", request.fingerprint().digest().bytes(), "state",
				StoredRecord.CLAIMED, "lease", micros(request.lease()), "retention", micros(request.retention()),
				"open", true, "takeOver", request.lapsed() == Lapsed.TAKE_OVER));
		if (statement("claimNew").startsWith("with")) {
			Object attempt = this.sql.queryForMap(statement("claimNew"), values).get("granted_attempt");
			return (attempt != null) ? (int) attempt : REFUSED;
		}
		try {
			return this.sql.update(statement("claimNew"), values);
		}
		catch (DuplicateKeyException ex) {
			return claimFound(values);
		}
	}

	private int claimFound(Map<String, Object> values) {
		Map<String, Object> found = this.sql.queryForMap(statement("findForClaim"), values);
		if (!(boolean) found.get("claimable")) {
			return REFUSED;
		}
		values.put("foundAttempt", found.get("attempt"));
		values.put("nextAttempt", found.get("next_attempt"));
		values.put("nextTookOver", found.get("next_took_over"));
		return (this.sql.update(statement("claimFound"), values) == 1) ? (int) found.get("next_attempt") : REFUSED;
	}

	boolean complete(ClaimId claim, Outcome.Stored outcome, Duration retention) {
		return this.sql.update(statement("complete"),
				Map.of("key", claim.key().digest().bytes(), "owner", claim.owner().bytes(), "attempt", claim.attempt(),
						"fingerprint", claim.fingerprint().digest().bytes(), "state", StoredRecord.COMPLETED,
						"retention", micros(retention), "answer", outcome.answer())) == 1;
	}

	/** Returns the state that it reads. */
	int state(ClaimRequest request) {
		return (int) this.sql.queryForMap(statement("read"), Map.of("key", request.key().digest().bytes()))
			.get("state");
	}

	private String statement(String name) {
		return this.statements.getProperty(name);
	}

	private static long micros(Duration time) {
		return time.toNanos() / 1_000;
	}

}
