package io.idempotent.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.idempotent.benchmarks.http.ByHandArea;
import io.idempotent.benchmarks.http.ColdArea;
import io.idempotent.benchmarks.http.EndpointLockArea;
import io.idempotent.benchmarks.http.HttpArea;
import io.idempotent.benchmarks.inprocess.InProcessArea;
import io.idempotent.benchmarks.lock.LockArea;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.memory.MemoryArea;
import io.idempotent.benchmarks.receipt.ReceiptArea;
import io.idempotent.benchmarks.replay.ReplayArea;
import io.idempotent.benchmarks.report.Report;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.scale.LookUpArea;
import io.idempotent.benchmarks.scale.ScaleArea;
import io.idempotent.benchmarks.simulation.SimulationArea;
import io.idempotent.benchmarks.steps.StepsArea;
import io.idempotent.benchmarks.token.TokenArea;

/**
 * Measures all areas, or those that {@code -Dbenchmarks.areas} names, and writes the
 * results.
 */
public final class Benchmarks {

	private Benchmarks() {
	}

	static List<Area> areas() {
		return List.of(//
				new TokenArea(), //
				new ReplayArea(), //
				new HttpArea(), //
				new ByHandArea(), //
				new ColdArea(), //
				new EndpointLockArea(), //
				new InProcessArea(), //
				new LockArea(), //
				new MemoryArea(), //
				new ScaleArea(), //
				new LookUpArea(), //
				new ReceiptArea(), //
				new StepsArea(), //
				new SimulationArea());
	}

	public static void main(String[] arguments) throws Exception {
		Effort effort = System.getProperty("benchmarks.effort", "full").equals("full") ? Effort.measured()
				: Effort.smoke();
		String areas = System.getProperty("benchmarks.areas", "");
		Results results = measure(effort, Arrays.asList(areas.split(",")));
		Report report = new Report(Conditions.asMarkdown(), results)
			.variant(System.getProperty("benchmarks.variant", ""));
		report.writeTo(Path.of(System.getProperty("benchmarks.results", "results")));
		String docs = System.getProperty("benchmarks.docs", "");
		if (!docs.isEmpty()) {
			report.update(Path.of(docs), areas);
		}
		// Clients and servers of the areas may have left threads behind.
		System.exit(0);
	}

	static Results measure(Effort effort, List<String> wanted) throws Exception {
		Results results = new Results(List.of(), List.of());
		for (Area area : areas()) {
			if (wanted.contains("") || wanted.contains(area.name())) {
				System.out.println("==> " + area.name());
				Results found = area.measure(effort);
				found.findings().forEach(System.out::println);
				results = results.and(found);
			}
		}
		return results;
	}

}
