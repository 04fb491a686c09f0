package io.idempotent.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Whose code the threads of another JVM execute, by samples of Flight Recorder. What a
 * library calls in the JDK counts as its own. System calls and the JIT compiler are not
 * sampled.
 */
public final class CpuProfile {

	private static final Map<String, String> OWNERS = owners();

	private CpuProfile() {
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
	 * @return the percentage of samples of each owner, all of them in the same order
	 * @throws Exception what the action threw, or if the JVM cannot be sampled
	 */
	public static Map<String, Double> during(ProcessHandle jvm, Callable<?> action) throws Exception {
		Path directory = Files.createTempDirectory("profile-");
		Path recording = directory.resolve("profile.jfr");
		try {
			control(jvm, "JFR.start", "name=profile", "settings=profile");
			action.call();
			control(jvm, "JFR.stop", "name=profile", "filename=" + recording);
			return shares(recording);
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

	private static Map<String, Double> shares(Path recording) throws IOException {
		Map<String, Integer> samples = new LinkedHashMap<>();
		OWNERS.values().forEach((owner) -> samples.put(owner, 0));
		samples.put("others", 0);
		try (RecordingFile file = new RecordingFile(recording)) {
			while (file.hasMoreEvents()) {
				RecordedEvent event = file.readEvent();
				if (event.getEventType().getName().equals("jdk.ExecutionSample") && event.getStackTrace() != null) {
					samples.merge(owner(event), 1, Integer::sum);
				}
			}
		}
		double all = Math.max(1, samples.values().stream().mapToInt(Integer::intValue).sum());
		Map<String, Double> shares = new LinkedHashMap<>();
		samples.forEach((owner, count) -> shares.put(owner, 100 * count / all));
		return shares;
	}

	private static String owner(RecordedEvent event) {
		return event.getStackTrace()
			.getFrames()
			.stream()
			.filter(RecordedFrame::isJavaFrame)
			.map((frame) -> frame.getMethod().getType().getName())
			.flatMap((type) -> OWNERS.entrySet().stream().filter((owner) -> type.startsWith(owner.getKey())).limit(1))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse("others");
	}

}
