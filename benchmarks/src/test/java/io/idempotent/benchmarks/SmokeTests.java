package io.idempotent.benchmarks;

import java.nio.file.Path;
import java.util.List;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.report.Report;
import io.idempotent.benchmarks.report.Results;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that is measured still runs; its figures are not looked at here.
 */
@Tag("slow")
class SmokeTests {

	private static final Path PAGE = Path.of("..", "docs", "performance.md");

	@TempDir
	Path directory;

	static List<String> areas() {
		return Benchmarks.areas().stream().map(Area::name).toList();
	}

	@ParameterizedTest
	@MethodSource("areas")
	void anAreaFillsItsTables(String area) throws Exception {
		Results results = Benchmarks.measure(Effort.smoke(), List.of(area));
		assertThat(results.tables()).isNotEmpty().allSatisfy((table) -> {
			assertThat(table.rows()).isNotEmpty();
			assertThat(table.rows()).allSatisfy((row) -> assertThat(row.cells()).hasSameSizeAs(table.columns()));
			assertThat(PAGE).content().contains("<!-- begin " + table.id() + " -->");
		});
		new Report("", results).writeTo(this.directory);
		assertThat(this.directory.resolve("performance.md")).content().contains(results.tables().get(0).title());
		assertThat(this.directory.resolve("performance").resolve(results.tables().get(0).id() + ".svg")).exists();
	}

}
