package io.idempotent.boot.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.boot.internal.store.RareProbe.Answer;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.support.StartUpException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The tables that a part of this library uses. Asked for once all beans exist. The bean
 * depends on the one that creates the tables, which lazy initialization would leave out.
 */
@FunctionalInterface
public interface RequiredTables extends Supplier<Stream<RequiredTable>> {

	/**
	 * Fails the start if a table in use or one of its columns is missing, and reports all
	 * of them at once. A database that does not answer is a warning.
	 */
	record Check(ObjectProvider<RequiredTables> used) implements SmartInitializingSingleton {

		private static final Log logger = LogFactory.getLog(RequiredTable.class);

		@Override
		public void afterSingletonsInstantiated() {
			List<RequiredTables> required = this.used.orderedStream().toList();
			if (!required.isEmpty()) {
				require(required);
			}
		}

		private static void require(List<RequiredTables> required) {
			Map<DataSource, List<RequiredTable>> databases = required.stream()
				.flatMap(Supplier::get)
				.collect(Collectors.groupingBy(RequiredTable::dataSource, LinkedHashMap::new, Collectors.toList()));
			List<InvalidConfigurationException> problems = databases.values()
				.stream()
				.flatMap((tables) -> ask(tables).stream())
				.toList();
			if (problems.size() == 1) {
				throw problems.get(0);
			}
			if (!problems.isEmpty()) {
				// Several tables may be created in the same way.
				throw new StartUpException(
						problems.stream()
							.map(StartUpException::description)
							.distinct()
							.collect(Collectors.joining(".\n")),
						problems.stream()
							.flatMap((problem) -> problem.action().lines())
							.distinct()
							.collect(Collectors.joining("\n")),
						null);
			}
		}

		private static List<InvalidConfigurationException> ask(List<RequiredTable> tables) {
			Answer<List<InvalidConfigurationException>> answer = new RareProbe<>("idempotent-table-check",
					Duration.ZERO, () -> problems(tables))
				.askAtStart();
			if (answer instanceof Answer.Failed<List<InvalidConfigurationException>> failed) {
				if (failed.cause() instanceof InvalidConfigurationException unsupported) {
					throw unsupported;
				}
				tables.forEach((table) -> logger
					.warn("The table '" + table.name() + "' could not be read while the application starts; "
							+ table.use() + " until it can: " + failed.cause().getMessage()));
			}
			return (answer instanceof Answer.Given<List<InvalidConfigurationException>> given) ? given.value()
					: List.of();
		}

		private static List<InvalidConfigurationException> problems(List<RequiredTable> tables) throws Exception {
			List<InvalidConfigurationException> problems = new ArrayList<>();
			for (RequiredTable table : tables) {
				InvalidConfigurationException problem = table.findProblem();
				if (problem != null) {
					problems.add(problem);
				}
			}
			return problems;
		}

	}

}
