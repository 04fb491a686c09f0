package io.idempotent.lock.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many virtual threads on few carriers.
 */
@Timeout(120)
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "There are no virtual threads before Java 21")
class VirtualThreadTests {

	private static final int THREADS = 1000;

	private static final int LOCKS = 4;

	@TempDir
	private Path directory;

	@Test
	void aThousandThreadsTakeTurnsInMemoryWithoutPinning() throws Exception {
		try (LocalLockEngine engine = new LocalLockEngine()) {
			assertThat(pinnedInTheSecondRound(engine)).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aThousandThreadsTakeTurnsOnRedisWithoutPinning(boolean withoutRedisson) throws Exception {
		try (EmbeddedRedis server = EmbeddedRedis.start();
				TestRedisson clients = TestRedisson.at(server.host(), server.port()).withoutRedisson(withoutRedisson)) {
			assertThat(pinnedInTheSecondRound(clients.node())).isEmpty();
		}
	}

	@Test
	void pinningIsDetected() throws Exception {
		ExecutorService threads = virtualThreads();
		List<String> pinned = pinnedWhile(() -> threads.submit(() -> Pinning.DONE).get());
		threads.shutdown();
		assertThat(pinned).isNotEmpty().allSatisfy((frame) -> assertThat(frame).startsWith(Pinning.class.getName()));
	}

	/** The first round pins where it initialises classes, once and for all. */
	private List<String> pinnedInTheSecondRound(LockEngine engine) throws Exception {
		contend(engine);
		return pinnedWhile(() -> contend(engine));
	}

	private static boolean contend(LockEngine engine) throws Exception {
		int[] unsynchronised = new int[LOCKS];
		try (EngineDistributedLocks locks = new EngineDistributedLocks(List.of(engine), Duration.ofSeconds(30),
				List.of())) {
			ExecutorService threads = virtualThreads();
			List<Future<?>> done = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int number = i % LOCKS;
				DistributedLock lock = locks.get("virtual-" + number);
				done.add(threads.submit(() -> {
					lock.lock();
					int read = unsynchronised[number];
					LockSupport.parkNanos(1);
					unsynchronised[number] = read + 1;
					lock.unlock();
				}));
			}
			for (Future<?> each : done) {
				each.get(60, TimeUnit.SECONDS);
			}
			threads.shutdown();
			assertThat(locks.namesInUse()).isZero();
		}
		assertThat(unsynchronised).containsOnly(THREADS / LOCKS);
		return true;
	}

	/** Compiled for Java 17, which has none. */
	private static ExecutorService virtualThreads() throws ReflectiveOperationException {
		return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
	}

	/**
	 * Runs something and tells where our own code was pinned to its carrier: where the
	 * first frame outside of the JDK is ours. What a client of an engine does below us is
	 * not ours to change.
	 */
	private List<String> pinnedWhile(Callable<?> task) throws Exception {
		try (Recording recording = new Recording()) {
			recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
			recording.start();
			task.call();
			recording.stop();
			Path file = this.directory.resolve("pinned.jfr");
			recording.dump(file);
			return RecordingFile.readAllEvents(file)
				.stream()
				.map(VirtualThreadTests::firstFrameOutsideTheJdk)
				.filter((frame) -> frame.startsWith("io.idempotent."))
				.toList();
		}
	}

	private static String firstFrameOutsideTheJdk(RecordedEvent event) {
		if (event.getStackTrace() == null) {
			return "";
		}
		return event.getStackTrace()
			.getFrames()
			.stream()
			.map(RecordedFrame::getMethod)
			.map((method) -> method.getType().getName() + "." + method.getName())
			.filter((frame) -> !frame.startsWith("java.") && !frame.startsWith("jdk."))
			.findFirst()
			.orElse("");
	}

	/** A class that is initialised has the virtual machine below its frames. */
	private static final class Pinning {

		static final boolean DONE;

		static {
			LockSupport.parkNanos(20_000_000);
			DONE = true;
		}

	}

}
