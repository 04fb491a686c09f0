package io.idempotent.steps.internal;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

import io.idempotent.audit.AuditLine;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.json.JsonCanonicalizer;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.steps.StepAdministration;
import io.idempotent.steps.internal.StoredStep.State;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordEncryption;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import org.springframework.util.Assert;

/**
 * Shows and settles the steps in the guarded database.
 */
record JdbcStepAdministration(ShortStatements database, RecordEncryption encryption) implements StepAdministration {

	private static final String OPERATIONS = "select operation_key, operation, attempts, node, created_at, changed_at, "
			+ "ended_at, resumptions, resume_at, error, (" + ResumptionTable.RESUMABLE
			+ ") as resumable from idempotent_operation where ";

	private static final String STEPS = "select name, state, node, started_at, done_at, error from idempotent_step "
			+ "where operation_key = ? order by started_at, name";

	private static final String ONE_STARTED = " where operation_key = ? and name = ? and state = 'STARTED'";

	private static final JsonCanonicalizer JSON = new JsonCanonicalizer();

	@Override
	public Optional<OperationWithSteps> find(OperationKey key) {
		return list("look up an operation", "operation_key = ?", key.digest().bytes()).stream().findFirst();
	}

	@Override
	public List<OperationWithSteps> unfinished(int limit) {
		Assert.isTrue(limit > 0, "The limit must be at least 1");
		return list("look for unfinished operations", "ended_at is null order by changed_at limit " + limit);
	}

	/** One statement for each operation: operators see few, and rarely. */
	private List<OperationWithSteps> list(String what, String which, Object... values) {
		return this.database.run(what, (session) -> {
			List<OperationWithSteps> all = session.all(OPERATIONS + which, JdbcStepAdministration::operation, values);
			for (OperationWithSteps each : all) {
				each.steps().addAll(session.all(STEPS, JdbcStepAdministration::step, each.key().digest().bytes()));
			}
			return all;
		});
	}

	/** Without its steps: a driver that streams runs no statement between two rows. */
	private static OperationWithSteps operation(ResultSet row) throws SQLException {
		Instant endedAt = time(row, "ended_at");
		Resumption resumption = row.getBoolean("resumable")
				? new Resumption(row.getInt("resumptions"), time(row, "resume_at")) : null;
		return new OperationWithSteps(new OperationKey(Digest.of(row.getBytes("operation_key"))),
				row.getString("operation"), row.getInt("attempts"), row.getString("node"), required(row, "created_at"),
				required(row, "changed_at"), endedAt, row.getString("error"), resumption, new ArrayList<>());
	}

	private static Step step(ResultSet row) throws SQLException {
		Instant doneAt = time(row, "done_at");
		boolean started = State.valueOf(row.getString("state")) == State.STARTED;
		return new Step(row.getString("name"), row.getString("node"), required(row, "started_at"), doneAt,
				started && doneAt == null, row.getString("error"));
	}

	private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
		Instant time = required(row, column);
		return row.wasNull() ? null : time;
	}

	private static Instant required(ResultSet row, String column) throws SQLException {
		return Instant.EPOCH.plus(row.getLong(column), ChronoUnit.MICROS);
	}

	@Override
	public boolean confirm(OperationKey key, String step, @Nullable String result, String by, String reason) {
		byte[] json = (result != null) ? result.getBytes(StandardCharsets.UTF_8) : new byte[0];
		if (result != null && !isJson(json)) {
			throw new IllegalArgumentException("The result is not JSON: write a text in quotes");
		}
		byte[] stored = this.encryption.encrypt(key, StoredStep.purpose(step), ResultCodec.ofJson(json));
		return settle("confirm", key, step, by, reason,
				() -> this.database
					.run("confirm a step",
							(session) -> session.update(
									"update idempotent_step set result = ?, done_at = "
											+ session.dialect().microseconds() + ONE_STARTED,
									stored, key.digest().bytes(), step)));
	}

	/** What is nested too deep could not be read later. */
	private static boolean isJson(byte[] text) {
		try {
			return JSON.canonicalize(text) != null;
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	@Override
	public boolean repeat(OperationKey key, String step, String by, String reason) {
		return settle("repeat", key, step, by, reason, () -> this.database.run("let a step run again",
				(session) -> session.update("delete from idempotent_step" + ONE_STARTED, key.digest().bytes(), step)));
	}

	@Override
	public boolean resume(OperationKey key, String by, String reason) {
		return settle("resume", key, null, by, reason, () -> update("let an operation be called again",
				"resumptions = 0, resume_at = %s", " and " + ResumptionTable.RESUMABLE, key));
	}

	@Override
	public boolean end(OperationKey key, String by, String reason) {
		return settle("end", key, null, by, reason,
				() -> update("end an operation", "resume_at = null, ended_at = %s", "", key));
	}

	private int update(String what, String change, String condition, OperationKey key) {
		return this.database
			.run(what,
					(session) -> session.update(
							"update idempotent_operation set " + change.formatted(session.dialect().microseconds())
									+ " where operation_key = ? and ended_at is null" + condition,
							key.digest().bytes()));
	}

	private static boolean settle(String action, OperationKey key, @Nullable String step, String by, String reason,
			IntSupplier update) {
		Assert.hasText(by, "The operator must not be blank");
		Assert.hasText(reason, "The reason must not be blank");
		boolean done = (step == null || StoredStep.isName(step)) && update.getAsInt() == 1;
		AuditLine line = AuditLine.of(action + ((step != null) ? "-step" : "-operation")).with("key", key);
		if (step != null) {
			line.with("step", step);
		}
		line.with("by", by).quoted("reason", reason).with("result", done ? "done" : "refused").write();
		return done;
	}

}
