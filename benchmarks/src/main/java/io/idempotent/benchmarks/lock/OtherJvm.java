package io.idempotent.benchmarks.lock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.idempotent.benchmarks.measure.Java;

/**
 * A second JVM with the same class path and the same servers. It is told on its standard
 * input which lock to work on for how long, and answers with what came of it.
 */
final class OtherJvm implements AutoCloseable {

	private static final int THREADS = 8;

	private static final String READY = "ready";

	private final Process process;

	private final PrintWriter orders;

	private final BufferedReader answers;

	OtherJvm(Kind kind, String address, Path tallies) throws IOException {
		List<String> command = Java.command(OtherJvm.class, "-Xmx256m", "-XX:+UseParallelGC");
		command.addAll(List.of(kind.name(), address, tallies.toString()));
		this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		this.orders = new PrintWriter(this.process.outputWriter(StandardCharsets.UTF_8), true);
		this.answers = this.process.inputReader(StandardCharsets.UTF_8);
		if (!answer().equals(READY)) {
			throw new IOException("The second JVM did not come up");
		}
	}

	/**
	 * Works in both JVMs at the same time.
	 * @param contender the lock
	 * @param tally the section
	 * @param time how long
	 * @return sections per second
	 * @throws Exception if a lock fails
	 */
	Shares workTogether(LockContender contender, Tally tally, Duration time) throws Exception {
		this.orders.println(contender.name() + "\t" + time.toMillis());
		double here = Crew.work(contender, tally, THREADS, time);
		return new Shares(here, Double.parseDouble(answer()));
	}

	/**
	 * How often the other JVM was in the section of a lock so far.
	 * @param contender the lock
	 * @return the number
	 * @throws IOException if it is gone
	 */
	long entered(LockContender contender) throws IOException {
		this.orders.println(contender.name() + "\t0");
		return Long.parseLong(answer());
	}

	private String answer() throws IOException {
		String answer = this.answers.readLine();
		if (answer == null) {
			throw new IOException("The second JVM has gone");
		}
		return answer;
	}

	@Override
	public void close() {
		this.orders.close();
		this.process.destroy();
		this.process.onExit().join();
	}

	/**
	 * The second JVM.
	 * @param arguments kind and address of the servers, and where the tallies are
	 */
	public static void main(String[] arguments) throws Exception {
		PrintStream out = System.out;
		// Nobody but us answers there.
		System.setOut(System.err);
		BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		Path tallies = Path.of(arguments[2]);
		try (Rivals rivals = Kind.valueOf(arguments[0]).connect(arguments[1])) {
			Map<String, LockContender> contenders = rivals.contenders()
				.stream()
				.collect(Collectors.toMap(LockContender::name, Function.identity()));
			Map<LockContender, Tally> counts = LockContests.tallies(List.copyOf(contenders.values()), tallies);
			out.println(READY);
			for (String order = orders.readLine(); order != null; order = orders.readLine()) {
				String[] words = order.split("\t", 2);
				LockContender contender = Objects.requireNonNull(contenders.get(words[0]), words[0]);
				Tally tally = Objects.requireNonNull(counts.get(contender), words[0]);
				long millis = Long.parseLong(words[1]);
				out.println((millis == 0) ? String.valueOf(tally.entered())
						: String.valueOf(Crew.work(contender, tally, THREADS, Duration.ofMillis(millis))));
			}
		}
		System.exit(0);
	}

	/**
	 * What each of the two got done.
	 *
	 * @param here sections per second in this JVM
	 * @param there sections per second in the other one
	 */
	record Shares(double here, double there) {

		double both() {
			return this.here + this.there;
		}

		/**
		 * What the slower one got, as a percentage of an equal share.
		 * @return 100 if both got the same
		 */
		double fairness() {
			return 100 * 2 * Math.min(this.here, this.there) / both();
		}

	}

}
