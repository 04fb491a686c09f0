package io.idempotent.programs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;

/**
 * Reads a program as {@link ProgramText} writes it: one statement a line. Lines that
 * begin with {@code #} are comments.
 */
final class ProgramReader {

	private final Deque<String> lines;

	private ProgramReader(String text) {
		this.lines = new ArrayDeque<>(
				text.lines().map(String::strip).filter((line) -> !line.isEmpty() && !line.startsWith("#")).toList());
	}

	static Program read(String text) {
		return new ProgramReader(text).program();
	}

	private Program program() {
		List<String> head = words(this.lines.pop());
		require(head.get(0).equals("program"), "A program begins with 'program'");
		Map<String, Entrance> keys = new LinkedHashMap<>();
		while (!this.lines.isEmpty() && this.lines.peek().startsWith("key ")) {
			List<String> key = words(this.lines.pop());
			keys.put(key.get(1), Entrance.valueOf(key.get(2)));
		}
		List<Statement> statements = statements();
		require(this.lines.isEmpty(), "There is a '}' too many");
		return new Program(head.get(1).equals("receipts"), constant(StoreKind.class, head.get(2)),
				!head.contains("manual-commit"), head.contains("jpa"), keys, statements);
	}

	private List<Statement> statements() {
		List<Statement> statements = new ArrayList<>();
		while (!this.lines.isEmpty() && !this.lines.peek().equals("}")) {
			String line = this.lines.pop();
			List<String> words = words(line);
			if (line.endsWith("{")) {
				List<Statement> body = statements();
				this.lines.pop();
				statements.add(block(words.subList(0, words.size() - 1), body));
			}
			else {
				statements.add(statement(words));
			}
		}
		return List.copyOf(statements);
	}

	private static Statement statement(List<String> words) {
		return switch (words.get(0)) {
			case "throw" -> new Statement.Throw(thrown(words), false);
			case "throw-once" -> new Statement.Throw(thrown(words), true);
			case "fail-commit" -> new Statement.FailCommit(constant(CommitFault.class, words.get(1)));
			default -> constant(Statement.Simple.class, words.get(0));
		};
	}

	private static Thrown thrown(List<String> words) {
		return (words.size() > 1) ? constant(Thrown.class, words.get(1)) : Thrown.EXCEPTION;
	}

	private static Statement block(List<String> words, List<Statement> body) {
		return switch (words.get(0)) {
			case "call" -> new Statement.Call(words.get(1), body);
			case "tx" -> new Statement.Tx(constant(Manager.class, words.get(1)),
					constant(Propagation.class, words.get(2)), isolation(words), words.contains("read-only"), body);
			case "on" -> new Statement.Publish(constant(Moment.class, words.get(1)), words.contains("ordered"), body);
			case "synchronize" -> new Statement.Synchronize(constant(Moment.class, words.get(1)), body);
			case "lock" -> new Statement.Lock(words.get(1).equals("annotated"), words.contains("fenced"), body);
			default -> new Statement.Around(constant(Statement.Around.Kind.class, words.get(0)), body);
		};
	}

	private static Isolation isolation(List<String> words) {
		return words.stream()
			.skip(3)
			.filter((word) -> !word.equals("read-only"))
			.findFirst()
			.map((word) -> constant(Isolation.class, word))
			.orElse(Isolation.DEFAULT);
	}

	private static <E extends Enum<E>> E constant(Class<E> type, String word) {
		return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
	}

	private static List<String> words(String line) {
		return Arrays.asList(line.split("\\s+"));
	}

	private static void require(boolean holds, String message) {
		if (!holds) {
			throw new IllegalArgumentException(message);
		}
	}

}
