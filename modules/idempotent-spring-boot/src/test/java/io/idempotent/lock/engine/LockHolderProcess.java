package io.idempotent.lock.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.internal.LockDefaults;

/**
 * Another JVM, which locks what it is told to. It is used from this one as it is stopped,
 * continued and killed.
 */
final class LockHolderProcess implements AutoCloseable {

	private static final String ANSWER = "answer ";

	/** More than it waits for a lock. */
	private static final int PATIENCE_SECONDS = 60;

	private final Process process;

	/** Ends with an empty one. */
	private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

	private final Writer questions;

	LockHolderProcess(TestLockServer.Running server) throws IOException {
		this.process = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"), "-Xmx128m",
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				LockHolderProcess.class.getName(), server.kind().name(), server.address())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		Thread listener = new Thread(this::listen, "lock-holder-" + this.process.pid());
		listener.setDaemon(true);
		listener.start();
		this.questions = this.process.outputWriter(StandardCharsets.UTF_8);
	}

	/** On a thread of its own: who reads from a process cannot be interrupted. */
	private void listen() {
		try (BufferedReader lines = this.process.inputReader(StandardCharsets.UTF_8)) {
			lines.lines()
				.filter((line) -> line.startsWith(ANSWER))
				.map((line) -> Optional.of(line.substring(ANSWER.length())))
				.forEach(this.answers::add);
		}
		catch (IOException | UncheckedIOException ex) {
			// It was killed.
		}
		this.answers.add(Optional.empty());
	}

	/**
	 * Asks and waits for the answer.
	 * @param question {@code lock}, {@code try}, {@code token}, {@code valid},
	 * {@code unlock} or {@code losses}, and the name of the lock
	 * @return the answer; {@code lost} and {@code unavailable} stand for exceptions
	 */
	String ask(String question) throws Exception {
		tell(question);
		return answer();
	}

	void tell(String question) throws IOException {
		this.questions.write(question + "\n");
		this.questions.flush();
	}

	String answer() throws Exception {
		Optional<String> answer = this.answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
		if (answer == null) {
			throw new IOException("The other JVM does not answer");
		}
		return answer.orElseThrow(() -> new IOException("The other JVM has ended"));
	}

	void stop() throws Exception {
		signal("-STOP");
	}

	void goOn() throws Exception {
		signal("-CONT");
	}

	void kill() {
		this.process.destroyForcibly().onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
	}

	private void signal(String signal) throws Exception {
		int status = new ProcessBuilder("kill", signal, Long.toString(this.process.pid())).start().waitFor();
		if (status != 0) {
			throw new IOException("kill " + signal + " ended with " + status);
		}
	}

	@Override
	public void close() {
		kill();
	}

	static EngineDistributedLocks locks(LockEngine engine, LockListener... listeners) {
		return new EngineDistributedLocks(List.of(engine), new LockDefaults(TestLockServer.LEASE), List.of(listeners));
	}

	public static void main(String[] arguments) throws Exception {
		List<LockEvent> events = new CopyOnWriteArrayList<>();
		BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		try (TestLockServer.Client client = TestLockServer.valueOf(arguments[0]).connect(arguments[1]);
				EngineDistributedLocks locks = locks(client.engine(), events::add)) {
			for (String line = questions.readLine(); line != null; line = questions.readLine()) {
				String[] words = line.split(" ", 2);
				System.out.println(ANSWER + answer(words[0], locks.get(words[1]), events));
			}
		}
	}

	private static String answer(String question, DistributedLock lock, List<LockEvent> events)
			throws InterruptedException {
		try {
			return switch (question) {
				case "lock" -> String.valueOf(lock.tryLock(30, TimeUnit.SECONDS));
				case "try" -> String.valueOf(lock.tryLock());
				case "token" -> String.valueOf(lock.fencingToken());
				case "valid" -> String.valueOf(lock.isValid());
				case "unlock" -> {
					lock.unlock();
					yield "unlocked";
				}
				case "losses" -> String.valueOf(losses(events, lock.name()));
				default -> throw new IllegalArgumentException(question);
			};
		}
		catch (LockLostException ex) {
			return "lost";
		}
		catch (LockUnavailableException ex) {
			return "unavailable";
		}
	}

	private static long losses(List<LockEvent> events, String name) {
		return events.stream()
			.filter((event) -> event.type() == LockEvent.Type.LOST && event.name().equals(name))
			.count();
	}

}
