package io.idempotent.applications;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The application that a page describes: each block of code whose paragraph names a path
 * is that file, or a part to append to it. A block that begins with a dependency belongs
 * into the {@code pom.xml}.
 */
final class PageApplication {

	private static final Pattern BLOCK = Pattern.compile(
			"(?<=\n\n)(?<paragraph>(?:[^\n]+\n)+)\n```(?:java|xml|html|properties)\n(?<code>.*?\n)```", Pattern.DOTALL);

	private static final Pattern PATH = Pattern.compile("`(pom\\.xml|src/[^`]+)`");

	private static final String END_OF_DEPENDENCIES = "\t</dependencies>\n\t<build>";

	private final Map<String, String> files = new LinkedHashMap<>();

	private PageApplication(String page) {
		Matcher block = BLOCK.matcher(page);
		while (block.find()) {
			add(block.group("paragraph"), block.group("code"));
		}
	}

	static PageApplication of(Path page) throws IOException {
		return new PageApplication(Files.readString(page));
	}

	void writeTo(Path directory) throws IOException {
		for (Map.Entry<String, String> file : this.files.entrySet()) {
			Path path = directory.resolve(file.getKey());
			Files.createDirectories(path.getParent());
			Files.writeString(path, file.getValue());
		}
	}

	private void add(String paragraph, String code) {
		Matcher path = PATH.matcher(paragraph);
		if (code.startsWith("<dependency>")) {
			this.files.computeIfPresent("pom.xml",
					(name, pom) -> pom.replace(END_OF_DEPENDENCIES, code + END_OF_DEPENDENCIES));
		}
		else if (path.find()) {
			this.files.merge(path.group(1), code, String::concat);
		}
	}

}
