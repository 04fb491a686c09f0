package io.idempotent.programs;

import java.util.List;
import java.util.Locale;

import io.idempotent.programs.Statement.Block;

import org.springframework.transaction.annotation.Isolation;

/**
 * Writes a program as text that {@link ProgramReader} reads.
 */
final class ProgramText {

	private final StringBuilder text = new StringBuilder();

	private ProgramText() {
	}

	static String of(Program program) {
		ProgramText writer = new ProgramText();
		writer.text.append("program ")
			.append(program.receipts() ? "receipts " : "plain ")
			.append(lower(program.store()))
			.append(program.autoCommit() ? "" : " manual-commit")
			.append(program.jpa() ? " jpa" : "")
			.append('\n');
		program.keys().forEach((key, entrance) -> writer.text.append("key " + key + " " + entrance + "\n"));
		writer.write(program.statements(), "");
		return writer.text.toString();
	}

	private void write(List<Statement> statements, String indent) {
		for (Statement each : statements) {
			this.text.append(indent).append(head(each));
			if (each instanceof Block block) {
				this.text.append(" {\n");
				write(block.body(), indent + "  ");
				this.text.append(indent).append('}');
			}
			this.text.append('\n');
		}
	}

	private static String head(Statement statement) {
		if (statement instanceof Statement.Simple simple) {
			return lower(simple);
		}
		if (statement instanceof Statement.Throw thrown) {
			return (thrown.once() ? "throw-once" : "throw")
					+ ((thrown.thrown() != Thrown.EXCEPTION) ? " " + lower(thrown.thrown()) : "");
		}
		if (statement instanceof Statement.FailCommit fail) {
			return "fail-commit " + lower(fail.fault());
		}
		if (statement instanceof Statement.Call call) {
			return "call " + call.key();
		}
		if (statement instanceof Statement.Tx tx) {
			return "tx " + lower(tx.manager()) + " " + lower(tx.propagation())
					+ ((tx.isolation() != Isolation.DEFAULT) ? " " + lower(tx.isolation()) : "")
					+ (tx.readOnly() ? " read-only" : "");
		}
		if (statement instanceof Statement.Publish publish) {
			return "on " + lower(publish.moment()) + (publish.ordered() ? " ordered" : "");
		}
		if (statement instanceof Statement.Synchronize synchronize) {
			return "synchronize " + lower(synchronize.moment());
		}
		if (statement instanceof Statement.Lock lock) {
			return "lock " + (lock.annotated() ? "annotated" : "template") + (lock.fenced() ? " fenced" : "");
		}
		return lower(((Statement.Around) statement).kind());
	}

	private static String lower(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
