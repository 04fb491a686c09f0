package io.idempotent.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The script that shows the shop.
 */
@Tag("slow")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "The script needs a shell")
class DemoTests {

	@Test
	void eachOrderIsThereOnce() throws IOException, InterruptedException {
		assumeTrue(run("sh", "-c", "command -v bash && command -v curl").exit() == 0, "bash or curl is not installed");
		Result demo = run("./demo.sh");
		assertThat(demo.exit()).as(demo.output()).isZero();
		List<String> lines = demo.output().lines().toList();
		assertThat(lines).anyMatch((line) -> line.startsWith("later:  201 ")).contains("== The orders in the database");
		assertThat(JsonPath.<List<String>>read(lines.get(lines.size() - 1), "$[*].userId")).containsExactly("alice",
				"bob");
	}

	private static Result run(String... command) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment()
			.put("SHOP",
					Path.of(System.getProperty("java.home"), "bin", "java") + " -Xmx128m "
							+ String.join(" ", JavaProcess.FAST_START) + " -cp " + System.getProperty("java.class.path")
							+ " " + SampleOrderApplication.class.getName());
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return new Result(process.waitFor(), output);
	}

	private record Result(int exit, String output) {
	}

}
