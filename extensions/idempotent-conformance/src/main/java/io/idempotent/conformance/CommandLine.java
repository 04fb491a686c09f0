package io.idempotent.conformance;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.idempotent.conformance.Result.Outcome;
import io.idempotent.conformance.Target.Option;

/** Runs the kit. Exits with 0 if the target conforms, 1 if not, 2 for bad arguments. */
final class CommandLine {

	private static final String USAGE = """
			Checks whether an operation follows a protocol of the Idempotency-Key header.

			java -jar idempotent-conformance.jar --profile <profile> --url <URL> --body <body> [options]

			  --profile             ietf, stripe, acp or idempotent
			  --url                 a POST that has an effect, and another response for each execution
			  --body                the body of a valid request; @<file> reads it from a file
			  --header <n>: <v>     a header of each request, such as Authorization; may be repeated
			  --other-user <n>: <v> a header by which another user sends a request; may be repeated
			%s
			  --strict              also fail for what is recommended or promised only
			  --list                list the vectors of the profile, and run nothing
			""";

	private final Map<String, String> arguments = new HashMap<>();

	private final Map<String, String> headers = new HashMap<>();

	private final Map<String, String> otherUser = new HashMap<>();

	private CommandLine(List<String> arguments) {
		for (Iterator<String> all = arguments.iterator(); all.hasNext();) {
			String flag = all.next();
			switch (flag) {
				case "--strict", "--list" -> this.arguments.put(flag, "");
				case "--header" -> header(value(flag, all), this.headers);
				case "--other-user" -> header(value(flag, all), this.otherUser);
				default -> {
					if (!isKnown(flag)) {
						throw new IllegalArgumentException("unknown option " + flag);
					}
					this.arguments.put(flag, value(flag, all));
				}
			}
		}
	}

	public static void main(String[] arguments) {
		System.exit(run(List.of(arguments), System.out, System.err));
	}

	static int run(List<String> arguments, PrintStream out, PrintStream err) {
		if (arguments.isEmpty() || arguments.contains("--help")) {
			out.print(usage());
			return arguments.isEmpty() ? 2 : 0;
		}
		try {
			return new CommandLine(arguments).run(out);
		}
		catch (IllegalArgumentException ex) {
			err.println("Cannot run: " + ex.getMessage() + ". --help lists the options.");
			return 2;
		}
	}

	private int run(PrintStream out) {
		Profile profile = profile(require("--profile"));
		if (this.arguments.containsKey("--list")) {
			ConformanceKit.vectors(profile).forEach((vector) -> out.println(vector.id() + "  " + vector.sentence()));
			return 0;
		}
		Report report = ConformanceKit.run(profile, target());
		out.print(report.toText());
		boolean strict = this.arguments.containsKey("--strict");
		return (strict ? report.of(Outcome.FAILED).isEmpty() : report.conforms()) ? 0 : 1;
	}

	private Target target() {
		URI url = URI.create(require("--url"));
		if (url.getHost() == null || !String.valueOf(url.getScheme()).matches("https?")) {
			throw new IllegalArgumentException("--url " + url + " is not an address with http or https");
		}
		Target target = Target.of(url, content(require("--body")));
		this.headers.forEach(target::header);
		this.otherUser.forEach(target::otherUser);
		for (Option option : Option.values()) {
			String value = this.arguments.get(option.flag());
			if (value != null) {
				target.with(option, content(value));
			}
		}
		return target;
	}

	private static String content(String value) {
		if (!value.startsWith("@")) {
			return value;
		}
		try {
			return Files.readString(Path.of(value.substring(1)));
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("the file " + value.substring(1) + " cannot be read", ex);
		}
	}

	private static Profile profile(String name) {
		return Arrays.stream(Profile.values())
			.filter((profile) -> profile.id().equalsIgnoreCase(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("--profile is '" + name + "', but must be one of "
					+ Arrays.stream(Profile.values()).map(Profile::id).toList()));
	}

	private String require(String flag) {
		String value = this.arguments.get(flag);
		if (value == null) {
			throw new IllegalArgumentException(flag + " is missing");
		}
		return value;
	}

	private static boolean isKnown(String flag) {
		return List.of("--profile", "--url", "--body").contains(flag)
				|| Arrays.stream(Option.values()).anyMatch((option) -> option.flag().equals(flag));
	}

	private static String value(String flag, Iterator<String> rest) {
		if (!rest.hasNext()) {
			throw new IllegalArgumentException(flag + " has no value");
		}
		return rest.next();
	}

	private static void header(String header, Map<String, String> headers) {
		int colon = header.indexOf(':');
		if (colon < 1) {
			throw new IllegalArgumentException("'" + header + "' is not a header in the form name: value");
		}
		headers.put(header.substring(0, colon).strip(), header.substring(colon + 1).strip());
	}

	private static String usage() {
		return USAGE.formatted(Arrays.stream(Option.values())
			.map((option) -> String.format("  %-21s %s", option.flag(), option.description()))
			.collect(Collectors.joining("\n")));
	}

}
