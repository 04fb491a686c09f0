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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepAdministration.OperationWithSteps;
import io.idempotent.steps.StepAdministration.Step;
import io.idempotent.steps.StepVerifier;
import io.idempotent.steps.StepVerifier.Verdict;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process dies at each of its points, and a repeat does what the table in docs/steps.md
 * says.
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
		assertThat(repeats(false, (provider) -> (key) -> new Verdict.DidNotHappen<>())).isEqualTo(rows());
	}

	@Test
	void aRepeatDoesTheSameAfterASecondDeath() {
		assertThat(repeats(true, (provider) -> (key) -> new Verdict.DidNotHappen<>())).isEqualTo(rows());
	}

	@Test
	void aRepeatAsksTheVerifier() {
		Map<Row, Set<String>> expected = rows();
		expected.put(Row.CALLING, Set.of("charge, book, mail", "book, mail"));
		assertThat(repeats(false, StepsDocumentTests::lookingUp)).isEqualTo(expected);
	}

	@Test
	void aRepeatIsRefusedIfNobodyCanTell() {
		Map<Row, Set<String>> expected = rows();
		expected.put(Row.CALLING, Set.of("outcome-unknown"));
		assertThat(repeats(false, (provider) -> StepVerifier.none())).isEqualTo(expected);
	}

	private static StepVerifier<String> lookingUp(Provider provider) {
		return (key) -> provider.effects(key).isEmpty() ? new Verdict.DidNotHappen<>()
				: new Verdict.Happened<>(provider.effects(key).get(0));
	}

	private static Map<Row, Set<String>> rows() {
		return Arrays.stream(Row.values())
			.collect(Collectors.toMap(Function.identity(), (row) -> row.repeats, (a, b) -> a,
					() -> new EnumMap<>(Row.class)));
	}

	/** What repeats run after a death, or two, at each point. */
	private static Map<Row, Set<String>> repeats(boolean twice, Function<Provider, StepVerifier<String>> verifier) {
		Map<Row, Set<String>> repeats = new EnumMap<>(Row.class);
		try (StepsDatabase database = StepsDatabase.h2(); Nodes nodes = new Nodes(database)) {
			Points counted = Points.counted();
			new Trial(database, nodes, verifier).run(counted);
			for (int first : twice ? points(counted) : new int[] { 0 }) {
				for (int second : points(counted)) {
					Trial trial = new Trial(database, nodes, verifier);
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

	private static int[] points(Points counted) {
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

		private final StepVerifier<String> verifier;

		private final String item = UUID.randomUUID().toString();

		private final Provider provider = new Provider();

		private final List<String> ran = new ArrayList<>();

		Trial(StepsDatabase database, Nodes nodes, Function<Provider, StepVerifier<String>> verifier) {
			this.database = database;
			this.nodes = nodes;
			this.verifier = verifier.apply(this.provider);
		}

		String run(Points points) {
			return this.nodes.run(0, points, this.item, this::pay);
		}

		private String pay(OperationSteps steps) {
			String charge = steps.external("charge", String.class, (key) -> call(key, "charge"), this.verifier);
			String order = steps.transactional("book", String.class, () -> book(charge));
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
			if (!result.equals(ORDER)) {
				this.ran.add(result.replaceAll(".*: ", ""));
			}
			return String.join(", ", this.ran);
		}

	}

}
