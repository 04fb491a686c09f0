package io.idempotent.programs;

import java.util.List;
import java.util.Map;

/**
 * A small program over the guarded database. After its last statement each key is called
 * twice more, on either node.
 *
 * @param receipts whether operations leave receipts
 * @param store where records are kept
 * @param autoCommit whether the pool hands out connections that commit each statement
 * @param jpa whether JPA manages the transactions of the guarded database
 * @param keys how the calls of each key enter the library
 * @param statements what is done, in order
 */
record Program(boolean receipts, StoreKind store, boolean autoCommit, boolean jpa, Map<String, Entrance> keys,
		List<Statement> statements) {

	Program with(List<Statement> others) {
		return new Program(this.receipts, this.store, this.autoCommit, this.jpa, this.keys, others);
	}

	Program withKeys(Map<String, Entrance> others) {
		return new Program(this.receipts, this.store, this.autoCommit, this.jpa, others, this.statements);
	}

	Program on(StoreKind other) {
		return new Program(this.receipts, other, this.autoCommit, this.jpa, this.keys, this.statements);
	}

	int size() {
		return size(this.statements);
	}

	private static int size(List<Statement> statements) {
		return statements.stream()
			.mapToInt((each) -> 1 + ((each instanceof Statement.Block block) ? size(block.body()) : 0))
			.sum();
	}

	@Override
	public String toString() {
		return ProgramText.of(this);
	}

}
