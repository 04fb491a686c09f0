package io.idempotent.benchmarks.measure;

import java.io.StringReader;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

class FlameGraphTests {

	private final FlameGraph graph = new FlameGraph((method) -> "#fff");

	@Test
	void aFrameIsAsWideAsItsShare() throws Exception {
		this.graph.add(List.of("a.Main.run", "a.Orders.<init>"));
		this.graph.add(List.of("a.Main.run"));
		String svg = this.graph.draw("one & two");

		Document document = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(svg)));
		assertThat(document.getElementsByTagName("g").getLength()).isEqualTo(2);
		assertThat(svg).contains("one &amp; two, 2 samples", "<title>a.Main.run 100.0%</title>",
				"<title>a.Orders.&lt;init> 50.0%</title>", "width=\"600.0\"", ">Orders.&lt;init></text>");
	}

	@Test
	void aNarrowFrameIsLeftOut() {
		this.graph.add(List.of("a.Rare.run"));
		for (int i = 0; i < 200; i++) {
			this.graph.add(List.of("a.Often.run"));
		}

		assertThat(this.graph.draw("")).contains("a.Often.run").doesNotContain("a.Rare.run");
	}

}
