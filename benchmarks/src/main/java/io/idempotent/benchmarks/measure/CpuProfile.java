package io.idempotent.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Whose code the threads of another JVM execute, by samples of Flight Recorder. What a
 * library calls in the JDK counts as its own. System calls and the JIT compiler are not
 * sampled.
 */
public final class CpuProfile {

	private static final Map<String, String> OWNERS = owners();

	private static final List<String> COLORS = List.of("#8fbc6b", "#e0653a", "#7fa8d8", "#7fa8d8", "#7fa8d8", "#c9b458",
			"#b48ead", "#a3c9a8");

	private final Map<String, Integer> samples = new LinkedHashMap<>();

	private final FlameGraph flames = new FlameGraph(CpuProfile::color);

	private CpuProfile() {
		OWNERS.values().forEach((owner) -> this.samples.put(owner, 0));
		this.samples.put("others", 0);
	}

	private static Map<String, String> owners() {
		Map<String, String> owners = new LinkedHashMap<>();
		owners.put("io.idempotent.benchmarks.", "filter by hand");
		owners.put("io.idempotent.", "this library");
		owners.put("org.springframework.data.redis.", "Redis client");
		owners.put("io.lettuce.", "Redis client");
		owners.put("io.netty.", "Redis client");
		owners.put("org.apache.", "Tomcat");
		owners.put("tools.jackson.", "Jackson");
		owners.put("org.springframework.", "Spring");
		return owners;
	}

	/**
	 * Samples a JVM while something runs.
	 * @param jvm its process
	 * @param action what runs meanwhile
	 * @return the samples
	 * @throws Exception what the action threw, or if the JVM cannot be sampled
	 */
	public static CpuProfile during(ProcessHandle jvm, Callable<?> action) throws Exception {
		Path directory = Files.createTempDirectory("profile-");
		Path recording = directory.resolve("profile.jfr");
		try {
			control(jvm, "JFR.configure", "stackdepth=512");
			control(jvm, "JFR.start", "name=profile", "settings=profile");
			action.call();
			control(jvm, "JFR.stop", "name=profile", "filename=" + recording);
			CpuProfile profile = new CpuProfile();
			profile.read(recording);
			return profile;
		}
		finally {
			Files.deleteIfExists(recording);
			Files.delete(directory);
		}
	}

	private static void control(ProcessHandle jvm, String... command) throws IOException, InterruptedException {
		String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
		Process process = new ProcessBuilder(
				Stream.concat(Stream.of(jcmd, Long.toString(jvm.pid())), Stream.of(command)).toList())
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		if (process.waitFor() != 0) {
			throw new IOException(command[0] + " failed in process " + jvm.pid());
		}
	}

	private void read(Path recording) throws IOException {
		try (RecordingFile file = new RecordingFile(recording)) {
			while (file.hasMoreEvents()) {
				RecordedEvent event = file.readEvent();
				if (event.getEventType().getName().equals("jdk.ExecutionSample") && event.getStackTrace() != null) {
					List<String> methods = event.getStackTrace()
						.getFrames()
						.stream()
						.filter(RecordedFrame::isJavaFrame)
						.map((frame) -> name(frame.getMethod()))
						.toList();
					this.samples.merge(methods.stream()
						.flatMap((method) -> owner(method).stream())
						.findFirst()
						.map(Map.Entry::getValue)
						.orElse("others"), 1, Integer::sum);
					List<String> outermostFirst = new ArrayList<>(methods);
					Collections.reverse(outermostFirst);
					this.flames.add(outermostFirst);
				}
			}
		}
	}

	/** Generated classes have another name in each JVM. */
	private static String name(RecordedMethod method) {
		return method.getType().getName().replaceFirst("(\\$\\$(Lambda|SpringCGLIB)|[+/]0x).*", "") + "."
				+ method.getName();
	}

	/**
	 * By whose code runs.
	 * @return the percentage of samples of each owner, all of them in the same order
	 */
	public Map<String, Double> shares() {
		double all = Math.max(1, this.samples.values().stream().mapToInt(Integer::intValue).sum());
		Map<String, Double> shares = new LinkedHashMap<>();
		this.samples.forEach((owner, count) -> shares.put(owner, 100 * count / all));
		return shares;
	}

	/**
	 * By callers and what they call.
	 * @param title what was sampled
	 * @return an SVG
	 */
	public String flameGraph(String title) {
		return this.flames.draw(title);
	}

	private static Optional<Map.Entry<String, String>> owner(String method) {
		return OWNERS.entrySet().stream().filter((owner) -> method.startsWith(owner.getKey())).findFirst();
	}

	private static String color(String method) {
		return owner(method).map((owner) -> COLORS.get(List.copyOf(OWNERS.keySet()).indexOf(owner.getKey())))
			.orElse("#cccccc");
	}

}
