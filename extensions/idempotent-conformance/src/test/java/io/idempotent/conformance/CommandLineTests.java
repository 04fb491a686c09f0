package io.idempotent.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.conformance.SmallServer.Fault;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The kit from the command line.
 */
class CommandLineTests {

	@AutoClose
	private static SmallServer correct;

	@AutoClose
	private static SmallServer faulty;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteArrayOutputStream err = new ByteArrayOutputStream();

	@BeforeAll
	static void start() {
		correct = new SmallServer(Fault.NONE);
		faulty = new SmallServer(Fault.IGNORES_THE_CONTENT);
	}

	@Test
	void aServiceThatConformsEndsWith0(@TempDir Path directory) throws IOException {
		Path body = Files.writeString(directory.resolve("order.json"), SmallServer.BODY);
		assertThat(run(arguments(correct, "@" + body))).isZero();
		assertThat(text(this.out)).contains("passed   MUST    key.missing ")
			.contains("not run  MUST    content.other-refused ")
			.contains("needs --other-body")
			.contains("Profile acp: ");
	}

	@Test
	void aServiceThatDoesNotConformEndsWith1() {
		List<String> arguments = arguments(faulty, SmallServer.BODY);
		arguments.addAll(List.of("--other-body", SmallServer.OTHER_BODY));
		assertThat(run(arguments)).isEqualTo(1);
		assertThat(text(this.out)).contains("failed   MUST    content.other-refused ");
	}

	@Test
	void aServiceThatDoesNotAnswerHasNoResponse() {
		SmallServer gone = new SmallServer(Fault.NONE);
		gone.close();
		assertThat(run(arguments(gone, SmallServer.BODY))).isEqualTo(1);
		assertThat(text(this.out)).contains("POST " + gone.url() + " has no response: ");
	}

	@Test
	void strictAlsoFailsForPromises() {
		List<String> arguments = arguments(correct, SmallServer.BODY);
		arguments.add("--strict");
		assertThat(run(arguments)).isEqualTo(1);
		assertThat(text(this.out)).contains("failed   PROMISE refusal.page ")
			.contains("A browser gets a page (this library, reference/http-responses.md)");
	}

	@Test
	void theVectorsAreListedWithoutATarget() {
		assertThat(run(List.of("--profile", "ietf", "--list"))).isZero();
		assertThat(text(this.out)).contains("syntax.bare-refused  ").doesNotContain("syntax.quotes-count");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--profile soap", "--profile ietf", "--profile ietf --url ftp://example.com --body x",
			"--profile ietf --url http://example.com", "--nonsense 1", "--profile", "--header nonsense",
			"--profile ietf --url http://example.com --body @missing.json" })
	void argumentsThatCannotBeUsedEndWith2(String arguments) {
		assertThat(run(List.of(arguments.split(" ")))).isEqualTo(2);
		assertThat(text(this.err)).startsWith("Cannot run: ").contains("--help");
	}

	@Test
	void theHelpNamesEveryOption() {
		assertThat(run(List.of("--help"))).isZero();
		assertThat(text(this.out)).contains("--count-url ").contains("--other-user ");
	}

	private static List<String> arguments(SmallServer server, String body) {
		return new ArrayList<>(List.of("--profile", "acp", "--url", server.url().toString(), "--body", body, "--header",
				"X-User: alice"));
	}

	private int run(List<String> arguments) {
		return CommandLine.run(arguments, new PrintStream(this.out, true, StandardCharsets.UTF_8),
				new PrintStream(this.err, true, StandardCharsets.UTF_8));
	}

	private static String text(ByteArrayOutputStream bytes) {
		return bytes.toString(StandardCharsets.UTF_8);
	}

}
