package io.idempotent.steps.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepAdministration.OperationWithSteps;
import io.idempotent.steps.StepAdministration.Step;
import io.idempotent.steps.StepVerifier;
import io.idempotent.steps.StepVerifier.Verdict;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process dies at each of its points, and a repeat does what the table in docs/steps.md
 * says, on two nodes that take turns.
 */
class StepsDocumentTests {

	private static final Path PAGE = Path.of("..", "..", "docs", "steps.md");

	private static final String AGAIN = "| at any of these points again | the same |";

	private static final String ORDER = "order for charge 1";

	@Test
	void everyRowIsTested() throws IOException {
		assertThat(Files.readAllLines(PAGE)
			.stream()
			.dropWhile((line) -> !line.equals("| the process dies | a repeat |"))
			.skip(2)
			.takeWhile((line) -> line.startsWith("|"))).containsExactlyElementsOf(
					Stream.concat(Arrays.stream(Row.values()).map((row) -> row.text), Stream.of(AGAIN)).toList());
	}

	@Test
	void aRepeatDoesWhatItsRowSays() {
		assertThat(repeats((trial) -> {
		})).isEqualTo(rows());
	}

	@Test
	void aRepeatDoesTheSameAfterASecondDeath() {
		assertThat(repeats(StepsDatabase.postgresql(TestPostgres.newDatabase()), true, (trial) -> {
		})).isEqualTo(rows());
	}

	@Test
	void nothingIsLostOrDoneTwiceWhileAProcessStandsStill() {
		StepsDatabase postgresql = StepsDatabase.postgresql(TestPostgres.newDatabase());
		try (postgresql; Nodes nodes = new Nodes(postgresql)) {
			for (int point : points(new Trial(postgresql, nodes))) {
				Trial trial = new Trial(postgresql, nodes);
				nodes.runWithPause(point, trial.item, trial::pay);
				assertThat(trial.repeat()).as("pause at %d", point).isIn("", "mail");
			}
		}
	}

	@Test
	void aRepeatAsksTheVerifier() {
		Map<Row, Set<String>> expected = rows();
		expected.put(Row.CALLING, Set.of("charge, book, mail", "book, mail"));
		assertThat(repeats((trial) -> trial.verifier = trial::lookUp)).isEqualTo(expected);
	}

	@Test
	void aRepeatIsRefusedIfNobodyCanTell() {
		Map<Row, Set<String>> expected = rows();
		expected.put(Row.CALLING, Set.of("outcome-unknown"));
		assertThat(repeats((trial) -> trial.verifier = StepVerifier.none())).isEqualTo(expected);
	}

	@Test
	void aCallWithoutItsKeyIsFound() {
		assertThat(repeats((trial) -> trial.withKey = false).get(Row.CALLING))
			.contains("charge, book, mail, orders: 1, effects: 3");
	}

	@Test
	void anEffectOutsideOfItsStepIsFound() {
		assertThat(repeats((trial) -> trial.inStep = false).get(Row.BOOKING))
			.contains("book again, mail, orders: 2, effects: 2");
	}

	private static Map<Row, Set<String>> rows() {
		return Arrays.stream(Row.values())
			.collect(Collectors.toMap(Function.identity(), (row) -> row.repeats, (a, b) -> a,
					() -> new EnumMap<>(Row.class)));
	}

	private static Map<Row, Set<String>> repeats(Consumer<Trial> as) {
		return repeats(StepsDatabase.h2(), false, as);
	}

	/** What repeats run after a death, or two, at each point. */
	private static Map<Row, Set<String>> repeats(StepsDatabase database, boolean twice, Consumer<Trial> as) {
		Map<Row, Set<String>> repeats = new EnumMap<>(Row.class);
		try (database; Nodes nodes = new Nodes(database)) {
			int[] points = points(new Trial(database, nodes));
			for (int first : twice ? points : new int[] { 0 }) {
				for (int second : points) {
					Trial trial = new Trial(database, nodes);
					as.accept(trial);
					if (first > 0) {
						trial.run(Points.dyingAt(first));
					}
					trial.run(Points.dyingAt(second));
					repeats.computeIfAbsent(trial.row(), (row) -> new TreeSet<>()).add(trial.repeat());
				}
			}
		}
		return repeats;
	}

	private static int[] points(Trial trial) {
		Points counted = Points.counted();
		trial.run(counted);
		return IntStream.rangeClosed(1, counted.reached()).toArray();
	}

	/** Of the table, and what a repeat calls and runs then. */
	private enum Row {

		STARTING("before the start of `charge` is recorded", "runs all", "charge, book, mail"),

		CALLING("before, during or after the call of the provider",
				"calls again with the same key, asks the verifier, or is refused", "charge, book, mail",
				"charge again, book, mail"),

		CHARGED("after the result of `charge` is recorded", "gets the result, and goes on with `book`", "book, mail"),

		BOOKING("in the transaction of `book`",
				"gets the result of `charge`, and books: the transaction was rolled back", "book, mail"),

		BOOKED("after its commit, although nobody saw the reply", "gets both results, and goes on with `mail`", "mail",
				"mail again"),

		ANSWERING("after the last step", "gets all results, and answers", "");

		private final String text;

		@SuppressWarnings("ImmutableEnumChecker") // Set.of
		private final Set<String> repeats;

		Row(String death, String repeat, String... repeats) {
			this.text = "| " + death + " | " + repeat + " |";
			this.repeats = Set.of(repeats);
		}

	}

	/** One operation, and what has been called and run. */
	private static final class Trial {

		private final StepsDatabase database;

		private final Nodes nodes;

		private final String item = UUID.randomUUID().toString();

		private final Provider provider = new Provider();

		private final List<String> ran = new ArrayList<>();

		private StepVerifier<String> verifier = (key) -> new Verdict.DidNotHappen<>();

		private boolean withKey = true;

		private boolean inStep = true;

		private int attempts;

		Trial(StepsDatabase database, Nodes nodes) {
			this.database = database;
			this.nodes = nodes;
		}

		Verdict<String> lookUp(String key) {
			List<String> effects = this.provider.effects(key);
			return effects.isEmpty() ? new Verdict.DidNotHappen<>() : new Verdict.Happened<>(effects.get(0));
		}

		/** The nodes take turns. */
		String run(Points points) {
			return this.nodes.run(this.attempts++, points, this.item, this::pay);
		}

		private String pay(OperationSteps steps) {
			String charge = steps.external("charge", String.class,
					(key) -> call(this.withKey ? key : UUID.randomUUID().toString(), "charge"), this.verifier);
			String order = this.inStep ? steps.transactional("book", String.class, () -> book(charge)) : book(charge);
			steps.external("mail", (key) -> call(key, "mail"));
			return order;
		}

		private String call(String key, String what) {
			this.nodes.points().reach();
			this.ran.add(this.provider.calls().contains(key) ? what + " again" : what);
			String result = this.provider.call(key, what);
			this.nodes.points().reach();
			return result;
		}

		private String book(String charge) {
			this.ran.add((this.database.orders(this.item) > 0) ? "book again" : "book");
			new JdbcTemplate(this.nodes.dataSource()).update("insert into orders (item) values (?)", this.item);
			return "order for " + charge;
		}

		Row row() {
			List<Step> steps = this.nodes.administration()
				.find(StepsNode.key(this.item))
				.map(OperationWithSteps::steps)
				.orElse(List.of());
			List<String> done = steps.stream().filter((step) -> step.doneAt() != null).map(Step::name).toList();
			return switch (done.size()) {
				case 0 -> steps.isEmpty() ? Row.STARTING : Row.CALLING;
				case 1 -> this.ran.contains("book") ? Row.BOOKING : Row.CHARGED;
				case 2 -> Row.BOOKED;
				default -> Row.ANSWERING;
			};
		}

		String repeat() {
			this.ran.clear();
			String result = run(Points.counted());
			int orders = this.database.orders(this.item);
			int effects = this.provider.effects();
			if (result.contains(": ")) {
				this.ran.add(result.replaceAll(".*: ", ""));
			}
			else if (!result.equals(ORDER) || orders != 1 || effects != 2) {
				this.ran.add("orders: " + orders + ", effects: " + effects);
			}
			return String.join(", ", this.ran);
		}

	}

}
