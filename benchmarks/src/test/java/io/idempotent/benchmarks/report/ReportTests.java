package io.idempotent.benchmarks.report;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import io.idempotent.benchmarks.measure.Spread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ReportTests {

	private static final Table TABLE = new Table("a-table", "Ours & <theirs>", List.of("p50 µs", "per second"), 0,
			List.of(row("16 threads", "ours", 100), row("16 threads", "\"theirs\"", 200),
					row("64 threads", "ours", 150),
					new Table.Row("64 threads", "<theirs> & others", List.of(Cell.NONE, Cell.NONE))));

	private static final Results RESULTS = new Results(List.of(TABLE),
			List.of(Finding.atMost("fast", 1, " ×", 1.1), Finding.atMost("flat", 12, "%", 10)));

	private static final String PAGE = """
			# Performance
			<!-- begin conditions -->
			<!-- end conditions -->
			before
			<!-- begin a-table -->
			| old | figures |
			<!-- end a-table -->
			between
			<!-- begin findings -->
			<!-- end findings -->
			<!-- begin another-table -->
			stays
			<!-- end another-table -->
			""";

	@TempDir
	Path directory;

	private static Table.Row row(String group, String name, double p50) {
		return new Table.Row(group, name,
				List.of(Cell.of(Spread.of(p50 - 1, p50, p50 + 2)), Cell.of(Spread.exactly(1e6 / p50))));
	}

	private Path page() {
		return this.directory.resolve("performance.md");
	}

	private String update(String page, Results results) throws IOException {
		Files.writeString(page(), page);
		new Report("- a machine\n", results).update(this.directory, "");
		return Files.readString(page());
	}

	@Test
	void aPageIsUpdatedOnlyBetweenItsMarkers() throws IOException {
		assertThat(update(PAGE, RESULTS)).isEqualTo("""
				# Performance
				<!-- begin conditions -->
				- a machine
				<!-- end conditions -->
				before
				<!-- begin a-table -->
				|  |  | p50 µs | per second |
				| --- | --- | --- | --- |
				| 16 threads | ours | 100 (99.0–102) | 10,000 |
				|  | "theirs" | 200 (199–202) | 5,000 |
				| 64 threads | ours | 150 (149–152) | 6,667 |
				|  | <theirs> & others | – | – |

				![Ours & <theirs>](performance/a-table.svg)
				<!-- end a-table -->
				between
				<!-- begin findings -->
				| to be reached | measured |  |
				| --- | --- | --- |
				| fast | 1.00 × | met |
				| flat | 12.00% | **missed** |
				<!-- end findings -->
				<!-- begin another-table -->
				stays
				<!-- end another-table -->
				""");
	}

	@Test
	void aRunOfSomeAreasReplacesTheirTablesAlone() throws IOException {
		Files.writeString(page(), PAGE);
		new Report("- a machine\n", RESULTS).update(this.directory, "by-hand");
		assertThat(page()).content().contains("| 16 threads | ours |").doesNotContain("- a machine", "| fast |");
		assertThat(this.directory.resolve("performance/results.json")).doesNotExist();
	}

	@Test
	void anAreaMayHaveFindingsOfItsOwn() throws IOException {
		Files.writeString(page(),
				PAGE.replace("conditions", "conditions-by-hand").replace("findings", "findings-by-hand"));
		new Report("- a machine\n", RESULTS).update(this.directory, "by-hand");
		assertThat(page()).content()
			.contains("<!-- begin conditions-by-hand -->\n- a machine\n", "| fast | 1.00 × | met |");
	}

	@Test
	void anUpdateMayBeRepeated() throws IOException {
		String once = update(PAGE, RESULTS);
		assertThat(update(once, RESULTS)).isEqualTo(once);
	}

	@Test
	void aTableWithoutAPlaceOnThePageIsReportedAndThePageIsUnchanged() {
		assertThatIllegalStateException().isThrownBy(() -> update(PAGE.replace("begin a-table", "begin"), RESULTS))
			.withMessageContaining("no place for 'a-table'")
			.withMessageContaining("<!-- begin a-table -->")
			.withMessageContaining("<!-- end a-table -->");
		assertThat(page()).hasContent(PAGE.replace("begin a-table", "begin"));
		assertThatIllegalStateException().isThrownBy(() -> update(PAGE.replace("end a-table", "end"), RESULTS))
			.withMessageContaining("no place for 'a-table'");
	}

	@Test
	void aVariantHasItsOwnPlacesOnThePage() throws IOException {
		String page = PAGE.replace("a-table", "a-table-jdk-17")
			.replace("conditions", "conditions-jdk-17")
			.replace("findings", "findings-jdk-17");
		Files.writeString(page(), page);
		new Report("- another JDK\n", RESULTS).variant("jdk-17").update(this.directory, "");
		assertThat(page()).content()
			.contains("<!-- begin conditions-jdk-17 -->\n- another JDK\n", "| fast | 1.00 × | met |",
					"![Ours & <theirs>, jdk-17](performance/a-table-jdk-17.svg)");
		assertThat(this.directory.resolve("performance/results-jdk-17.json")).exists();
		assertThat(this.directory.resolve("performance/results.json")).doesNotExist();
	}

	@Test
	void aReportContainsFindingsTablesChartsAndRawFigures() throws IOException {
		new Report("- a machine\n", RESULTS).writeTo(this.directory.resolve("deep/down"));
		Path report = this.directory.resolve("deep/down");
		assertThat(report.resolve("performance.md")).content()
			.contains("- a machine", "| fast | 1.00 × | met |", "## Ours & <theirs>", "| 16 threads | ours |");
		JsonNode json = JsonMapper.builder()
			.build()
			.readTree(Files.readString(report.resolve("performance/results.json")));
		assertThat(json.at("/tables/0/rows/1/cells/0/spread/median").doubleValue()).isEqualTo(200);
		assertThat(json.at("/findings/1/met").booleanValue()).isFalse();
		assertThat(report.resolve("performance/a-table.svg")).content().isEqualTo(Chart.of(TABLE));
	}

	@Test
	void aChartIsWellFormedAndHasABarForEachFigure() throws Exception {
		Document chart = parse(Chart.of(TABLE));
		assertThat(chart.getDocumentElement().getTagName()).isEqualTo("svg");
		// The background is one, too.
		assertThat(chart.getElementsByTagName("rect").getLength()).isEqualTo(1 + 3);
		assertThat(chart.getDocumentElement().getTextContent()).contains("Ours & <theirs>: p50 µs", "\"theirs\"",
				"<theirs> & others", "64 threads");
	}

	@Test
	void barsAreAsLongAsTheirFigures() throws Exception {
		Document chart = parse(Chart.of(TABLE));
		assertThat(width(chart, 2)).isEqualTo(2 * width(chart, 1));
		assertThat(width(chart, 3)).isEqualTo(1.5 * width(chart, 1));
	}

	private static double width(Document chart, int bar) {
		return Double.parseDouble(
				chart.getElementsByTagName("rect").item(bar).getAttributes().getNamedItem("width").getNodeValue());
	}

	private static Document parse(String chart) throws Exception {
		return DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(chart)));
	}

}
