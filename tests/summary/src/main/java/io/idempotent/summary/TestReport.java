package io.idempotent.summary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What Surefire reports of one test class.
 *
 * @param name the name of the class
 * @param time how long its tests took
 * @param passed how many tests passed
 * @param failed how many tests failed
 * @param skipped the reason for each test that was skipped
 * @param ranAgain whether a test ran again after it failed
 */
record TestReport(String name, Duration time, int passed, int failed, List<String> skipped, boolean ranAgain) {

	private static final List<String> RAN_AGAIN = List.of("flakyFailure", "flakyError", "rerunFailure", "rerunError");

	static TestReport read(Path file) {
		try {
			Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
			int failed = count(document, "failure") + count(document, "error");
			List<String> skipped = skipped(document.getElementsByTagName("skipped"));
			int passed = count(document, "testcase") - failed - skipped.size();
			Element suite = document.getDocumentElement();
			return new TestReport(suite.getAttribute("name"), time(suite), passed, failed, skipped,
					RAN_AGAIN.stream().anyMatch((element) -> count(document, element) > 0));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (ParserConfigurationException | SAXException ex) {
			throw new IllegalStateException(file + " is not a report of Surefire", ex);
		}
	}

	private static Duration time(Element suite) {
		double seconds = Double.parseDouble(suite.getAttribute("time").replace(",", ""));
		return Duration.ofMillis(Math.round(seconds * 1000));
	}

	private static int count(Document document, String element) {
		return document.getElementsByTagName(element).getLength();
	}

	private static List<String> skipped(NodeList elements) {
		return IntStream.range(0, elements.getLength())
			.mapToObj((index) -> reason((Element) elements.item(index)))
			.toList();
	}

	/**
	 * The message of the element, or the first line of the exception that it holds.
	 */
	private static String reason(Element skipped) {
		String message = skipped.getAttribute("message");
		String text = message.isEmpty() ? skipped.getTextContent() : message;
		return text.strip()
			.lines()
			.findFirst()
			.orElse("no reason given")
			.replaceFirst("^[\\w.]+TestAbortedException: ", "")
			.replaceFirst("^Assumption failed: ", "");
	}

}
