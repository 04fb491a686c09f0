package io.idempotent.steps.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepVerifier;
import io.idempotent.steps.StepVerifier.Verdict;
import io.idempotent.store.OperationKey;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Generated operations of one to six steps, whose processes die up to three times or
 * stand still once: each effect happens once, and the result tells of it.
 */
class StepsProgramTests {

	private static final List<Kind> KINDS = List.of(Kind.TRANSACTIONAL, Kind.EXTERNAL, Kind.VERIFIED, Kind.ONCE);

	private static final int PROGRAMS = Integer.getInteger("idempotent.steps.programs", 1_000);

	@Test
	void eachEffectHappensOnce() {
		long seed = Long.getLong("idempotent.steps.seed", System.nanoTime());
		assertThat(deviations(seed, PROGRAMS, false)).as("seed %d", seed).isEmpty();
	}

	@Test
	void aVerifierThatGuessesIsFound() {
		assertThat(deviations(1, 300, true)).isNotEmpty();
	}

	private static List<String> deviations(long seed, int programs, boolean guessing) {
		List<String> deviations = new ArrayList<>();
		try (StepsDatabase database = StepsDatabase.h2(); Nodes nodes = new Nodes(database)) {
			for (int i = 0; i < programs; i++) {
				Program program = new Program(new Random(seed + i), database, nodes, guessing);
				String deviation = program.run();
				if (deviation != null) {
					deviations.add("program " + (seed + i) + ", " + program.kinds + ": " + deviation);
				}
			}
		}
		return deviations;
	}

	private enum Kind {

		TRANSACTIONAL, EXTERNAL, VERIFIED, ONCE

	}

	private static final class Program {

		private final Random random;

		private final StepsDatabase database;

		private final Nodes nodes;

		private final boolean guessing;

		private final String id = UUID.randomUUID().toString();

		private final Provider provider = new Provider();

		private final boolean pauses;

		private final List<Kind> kinds;

		Program(Random random, StepsDatabase database, Nodes nodes, boolean guessing) {
			this.random = random;
			this.database = database;
			this.nodes = nodes;
			this.guessing = guessing;
			this.pauses = random.nextInt(3) == 0;
			// While a process stands still in a call, nobody can know whether it arrives.
			int kinds = this.pauses ? 2 : KINDS.size();
			this.kinds = random.ints(1 + random.nextInt(6), 0, kinds).mapToObj(KINDS::get).toList();
		}

		String run() {
			int points = 2 + 8 * this.kinds.size();
			if (this.pauses) {
				this.nodes.runWithPause(pointOutsideOfTransactions(points), this.id, this::run);
			}
			for (int attempt = this.random.nextInt(4); attempt > 0; attempt--) {
				this.nodes.run(attempt, Points.dyingAt(1 + this.random.nextInt(points)), this.id, this::run);
				settle();
			}
			return deviation(this.nodes.run(0, Points.counted(), this.id, this::run));
		}

		/**
		 * H2 would wait for the transaction, and the transaction for the other process.
		 */
		private int pointOutsideOfTransactions(int points) {
			return this.kinds.contains(Kind.TRANSACTIONAL) ? 1 + this.random.nextInt(2)
					: 1 + this.random.nextInt(points);
		}

		private String run(OperationSteps steps) {
			List<String> results = new ArrayList<>();
			for (int i = 0; i < this.kinds.size(); i++) {
				results.add(step(steps, this.kinds.get(i), "step " + i));
			}
			return String.join(";", results);
		}

		private String step(OperationSteps steps, Kind kind, String name) {
			return switch (kind) {
				case TRANSACTIONAL -> steps.transactional(name, String.class, () -> insert(name));
				case EXTERNAL -> steps.external(name, String.class, (key) -> call(() -> this.provider.call(key, name)));
				case VERIFIED -> steps.external(name, String.class,
						(key) -> call(() -> this.provider.callWithoutKey(key, name)), this::verify);
				case ONCE -> steps.external(name, String.class,
						(key) -> call(() -> this.provider.callWithoutKey(key, name)), StepVerifier.none());
			};
		}

		private String insert(String name) {
			new JdbcTemplate(this.nodes.dataSource()).update("insert into orders (item) values (?)", this.id + name);
			return name + " in the database";
		}

		private String call(Supplier<String> provider) {
			this.nodes.points().reach();
			String result = provider.get();
			this.nodes.points().reach();
			return result;
		}

		private Verdict<String> verify(String key) {
			List<String> effects = this.provider.effects(key);
			return (effects.isEmpty() || this.guessing) ? new Verdict.DidNotHappen<>()
					: new Verdict.Happened<>(effects.get(0));
		}

		/** An operator looks at the provider. */
		private void settle() {
			OperationKey key = StepsNode.key(this.id);
			this.nodes.administration().find(key).ifPresent((operation) -> operation.steps().forEach((step) -> {
				int number = Integer.parseInt(step.name().substring("step ".length()));
				if (step.doneAt() == null && this.kinds.get(number) == Kind.ONCE) {
					List<String> effects = this.provider.effects(key.derive("step " + step.name()).encoded());
					if (effects.isEmpty()) {
						this.nodes.administration().repeat(key, step.name(), "operator", "not there");
					}
					else {
						this.nodes.administration()
							.confirm(key, step.name(), '"' + effects.get(0) + '"', "operator", "is there");
					}
				}
			}));
		}

		private String deviation(String result) {
			String[] results = result.split(";", -1);
			if (results.length != this.kinds.size()) {
				return result;
			}
			int external = 0;
			for (int i = 0; i < results.length; i++) {
				boolean local = this.kinds.get(i) == Kind.TRANSACTIONAL;
				external += local ? 0 : 1;
				if (!results[i].startsWith("step " + i)
						|| (local && this.database.orders(this.id + "step " + i) != 1)) {
					return "step " + i + " of " + result;
				}
			}
			return (this.provider.effects() == external) ? null
					: this.provider.effects() + " effects, but " + external + " steps: " + this.provider.calls();
		}

	}

}
