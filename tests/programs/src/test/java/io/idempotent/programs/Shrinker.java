package io.idempotent.programs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.idempotent.programs.Statement.Block;
import io.idempotent.programs.Statement.Tx;

import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;

/**
 * Makes a program that fails smaller, as long as it fails.
 */
final class Shrinker {

	private static final int PATIENCE = 600;

	private final Predicate<Program> fails;

	private int tries;

	Shrinker(Predicate<Program> fails) {
		this.fails = fails;
	}

	/**
	 * Finds a program that fails and of which nothing can be left out.
	 * @param program a program that fails
	 * @return a smaller one, or the same
	 */
	Program shrink(Program program) {
		Program smallest = withoutUnusedKeys(program);
		boolean smaller = true;
		while (smaller && this.tries < PATIENCE) {
			smaller = false;
			for (Program candidate : candidates(smallest).toList()) {
				this.tries++;
				if (this.tries < PATIENCE && this.fails.test(candidate)) {
					smallest = candidate;
					smaller = true;
					break;
				}
			}
		}
		return smallest;
	}

	private static Stream<Program> candidates(Program program) {
		Stream<Program> onLocalStore = (program.store() == StoreKind.REDIS) ? Stream.of(program.on(StoreKind.LOCAL))
				: Stream.empty();
		return Stream.concat(onLocalStore, Stream.concat(
				lists(program.statements()).map((each) -> withoutUnusedKeys(program.with(each))), entrances(program)));
	}

	/** Simpler entrances of the keys. */
	private static Stream<Program> entrances(Program program) {
		return program.keys().entrySet().stream().flatMap((key) -> {
			return Stream.of(Entrance.PLAIN, Entrance.REQUIRED)
				.filter((entrance) -> entrance.compareTo(key.getValue()) < 0)
				.map((entrance) -> {
					Map<String, Entrance> keys = new LinkedHashMap<>(program.keys());
					keys.put(key.getKey(), entrance);
					return program.withKeys(keys);
				});
		});
	}

	private static Program withoutUnusedKeys(Program program) {
		String text = ProgramText.of(program);
		Map<String, Entrance> used = new LinkedHashMap<>(program.keys());
		used.keySet().removeIf((key) -> used.size() > 1 && !text.contains("call " + key + " "));
		return program.withKeys(used);
	}

	private static Stream<List<Statement>> lists(List<Statement> statements) {
		List<List<Statement>> smaller = new ArrayList<>();
		for (int i = 0; i < statements.size(); i++) {
			smaller.add(replaced(statements, i, List.of()));
			if (statements.get(i) instanceof Block block) {
				smaller.add(replaced(statements, i, block.body()));
			}
		}
		for (int i = 0; i < statements.size(); i++) {
			int index = i;
			simpler(statements.get(i)).forEach((each) -> smaller.add(replaced(statements, index, List.of(each))));
		}
		return smaller.stream();
	}

	private static Stream<Statement> simpler(Statement statement) {
		if (!(statement instanceof Block block)) {
			return Stream.empty();
		}
		Stream<Statement> inner = lists(block.body()).map(block::with);
		return (block instanceof Tx tx) ? Stream.concat(inner, simplerTransactions(tx)) : inner;
	}

	private static Stream<Statement> simplerTransactions(Tx tx) {
		List<Statement> simpler = new ArrayList<>();
		if (tx.isolation() != Isolation.DEFAULT || tx.readOnly()) {
			simpler.add(new Tx(tx.manager(), tx.propagation(), Isolation.DEFAULT, false, tx.body()));
		}
		if (tx.propagation() != Propagation.REQUIRED) {
			simpler.add(new Tx(tx.manager(), Propagation.REQUIRED, tx.isolation(), tx.readOnly(), tx.body()));
		}
		if (tx.manager() != Manager.MAIN) {
			simpler.add(new Tx(Manager.MAIN, tx.propagation(), tx.isolation(), tx.readOnly(), tx.body()));
		}
		return simpler.stream();
	}

	private static List<Statement> replaced(List<Statement> statements, int index, List<Statement> by) {
		List<Statement> all = new ArrayList<>(statements.subList(0, index));
		all.addAll(by);
		all.addAll(statements.subList(index + 1, statements.size()));
		return List.copyOf(all);
	}

}
