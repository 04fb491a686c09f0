package io.idempotent.sample;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The types of the script are those that it declares.
 */
class ScriptTypesTests {

	private static final String SCRIPT = read("idempotent.js");

	private static final String TYPES = read("idempotent.d.ts");

	@Test
	void bothFilesExportTheSameNames() {
		String exported = find("Object\\.freeze\\(\\{ (.+) }\\)", SCRIPT).findFirst().orElseThrow();
		String declared = find("interface IdempotentScript \\{(.+?)\n}", TYPES).findFirst().orElseThrow();
		assertThat(Stream.of(exported.split(", ")).map((name) -> name.replaceAll(":.*", "")))
			.containsExactlyInAnyOrderElementsOf(find("\\n\t(\\w+)\\(", declared).toList());
	}

	@Test
	void theScriptNamesNoOtherFileOrServer() {
		assertThat(SCRIPT).doesNotContain("http:", "https:", "innerHTML", "eval(").doesNotContainPattern("^import ");
	}

	private static Stream<String> find(String pattern, String text) {
		return Pattern.compile(pattern, Pattern.DOTALL)
			.matcher(text)
			.results()
			.map((MatchResult match) -> match.group(1));
	}

	private static String read(String name) {
		return Unchecked.call(() -> new ClassPathResource("io/idempotent/form/script/" + name)
			.getContentAsString(StandardCharsets.UTF_8));
	}

	@Nested
	@Tag("slow")
	class CheckedByTypeScript {

		@TempDir
		private static Path directory;

		@BeforeAll
		static void unpackTypeScript() throws IOException {
			assumeTrue(isNodeInstalled(), "node is not installed, so the types of the script are not checked");
			Resource[] files = new PathMatchingResourcePatternResolver()
				.getResources("classpath:META-INF/resources/webjars/typescript/*/lib/*");
			for (Resource file : files) {
				if (file.getFilename() != null && file.getFilename().matches("_?tsc\\.js|lib\\..*\\.d\\.ts")) {
					try (InputStream content = file.getInputStream()) {
						Files.copy(content, directory.resolve(file.getFilename()));
					}
				}
			}
			Files.writeString(directory.resolve("idempotent.js"), SCRIPT);
			Files.writeString(directory.resolve("idempotent.d.ts"), TYPES);
		}

		private static boolean isNodeInstalled() {
			try {
				return new ProcessBuilder("node", "--version").start().waitFor() == 0;
			}
			catch (IOException ex) {
				return false;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
		}

		/** In one run of the compiler, which reads the types of the DOM each time. */
		@Test
		void theScriptAndAPageThatUsesItAreRightAndMistakesAreFound() throws Exception {
			write("right.ts",
					"""
							const form = document.forms[0];
							form.addEventListener("idempotent:response", (event) => console.log(event.detail.replayed));
							const response: Response = await Idempotent.submit(form, { body: "{}" });
							const key: boolean = Idempotent.isReplay(await Idempotent.fetch("/payments", { method: "POST", key: "a" }));
							console.log(response, key, (await Idempotent.token("OrderController.create")).expiresIn);
							""");
			write("wrong.ts", "Idempotent.submit('form'); Idempotent.send();");
			String output = check("right.ts", "wrong.ts");
			assertThat(output.lines()).filteredOn((line) -> !line.startsWith(" "))
				.allMatch((line) -> line.startsWith("wrong.ts"));
			assertThat(output).contains("TS2345", "TS2339");
		}

		private static void write(String name, String page) throws IOException {
			Files.writeString(directory.resolve(name), page + "\nexport {};\n");
		}

		private static String check(String... pages) throws IOException, InterruptedException {
			Process compiler = new ProcessBuilder(Stream
				.of(Stream.of("node", "tsc.js", "--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals",
						"--target", "es2022", "--module", "es2022", "--lib", "es2022,dom,dom.iterable",
						"--moduleDetection", "force", "idempotent.js", "idempotent.d.ts"), Stream.of(pages))
				.flatMap((words) -> words)
				.toList()).directory(directory.toFile()).redirectErrorStream(true).start();
			String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(compiler.waitFor()).as(output).isNotZero();
			return output;
		}

	}

}
