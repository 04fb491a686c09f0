package io.idempotent.steps.internal;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

import javax.sql.DataSource;

import io.idempotent.audit.AuditLine;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.steps.StepAdministration;
import io.idempotent.store.OperationKey;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Shows and settles the steps in the guarded database.
 */
final class JdbcStepAdministration implements StepAdministration {

	private static final String STEP = "s.name, s.node, s.started_at, s.done_at, s.error";

	private static final String ONE_STARTED = " where operation_key = ? and name = ? and state = 'STARTED'";

	private final ShortStatements database;

	JdbcStepAdministration(DataSource dataSource, Duration timeout) {
		this.database = StepTables.statements(dataSource, timeout);
	}

	@Override
	public Optional<OperationWithSteps> find(OperationKey key) {
		byte[] id = key.digest().bytes();
		return this.database.run("look up the steps of an operation", (session) -> {
			List<Step> steps = session.all("select " + STEP + " from idempotent_step s where s.operation_key = ? "
					+ "order by s.started_at, s.name", (row) -> step(row, 1), id);
			return session.first(
					"select operation, attempts, node, created_at, changed_at from idempotent_operation "
							+ "where operation_key = ?",
					(row) -> new OperationWithSteps(key, row.getString(1), row.getInt(2), row.getString(3),
							time(row.getLong(4)), time(row.getLong(5)), steps),
					id);
		});
	}

	@Override
	public List<UnfinishedStep> unfinished(int limit) {
		Assert.isTrue(limit > 0, "The limit must be at least 1");
		return this.database.run("look for steps that are not done", (session) -> session
			.all("select o.operation_key, o.operation, " + STEP + " from idempotent_step s "
					+ "join idempotent_operation o on o.operation_key = s.operation_key where s.state in ('STARTED', 'FAILED') "
					+ "order by s.started_at desc limit " + limit,
					(row) -> new UnfinishedStep(new OperationKey(Digest.of(row.getBytes(1))), row.getString(2),
							step(row, 3))));
	}

	private static Step step(ResultSet row, int first) throws SQLException {
		long doneAt = row.getLong(first + 3);
		Instant done = row.wasNull() ? null : time(doneAt);
		return new Step(row.getString(first), row.getString(first + 1), time(row.getLong(first + 2)), done,
				row.getString(first + 4));
	}

	private static Instant time(long microseconds) {
		return Instant.EPOCH.plus(microseconds, ChronoUnit.MICROS);
	}

	@Override
	public boolean confirm(OperationKey key, String step, @Nullable String result, String by, String reason) {
		byte[] stored = ResultCodec.ofJson((result != null) ? result.getBytes(StandardCharsets.UTF_8) : new byte[0]);
		return settle("confirm", key, step, by, reason,
				() -> this.database.run("confirm a step",
						(session) -> session.update(
								"update idempotent_step set state = 'DONE', result = ?, done_at = "
										+ session.dialect().microseconds() + ONE_STARTED,
								stored, key.digest().bytes(), step)));
	}

	@Override
	public boolean repeat(OperationKey key, String step, String by, String reason) {
		return settle("repeat", key, step, by, reason, () -> this.database.run("let a step run again",
				(session) -> session.update("delete from idempotent_step" + ONE_STARTED, key.digest().bytes(), step)));
	}

	private static boolean settle(String action, OperationKey key, String step, String by, String reason,
			IntSupplier update) {
		Assert.hasText(by, "The operator must not be blank");
		Assert.hasText(reason, "The reason must not be blank");
		boolean done = update.getAsInt() == 1;
		AuditLine.of(action + "-step")
			.with("key", key)
			.with("step", step)
			.with("by", by)
			.quoted("reason", reason)
			.with("result", done ? "done" : "refused")
			.write();
		return done;
	}

}
