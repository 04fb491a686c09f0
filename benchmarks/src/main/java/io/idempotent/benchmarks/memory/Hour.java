package io.idempotent.benchmarks.memory;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with the whole starter that does an hour's work in one go, and says now
 * and then what has remained of it. Runs in a JVM of its own.
 */
final class Hour {

	private static final String ANSWER = "a".repeat(500);

	private static final String WORK = "hour.work";

	private static final String SHARED = "hour.shared";

	/** Short enough that what was done before is forgotten when it is looked. */
	private static final long RETENTION_MILLIS = 1000;

	private static final long FEW = 16;

	private final IdempotencyTemplate operations;

	private final DistributedLocks locks;

	private final LongAdder ranTwice = new LongAdder();

	private Hour(ConfigurableApplicationContext application) {
		this.operations = application.getBean(IdempotencyTemplate.class);
		this.locks = application.getBean(DistributedLocks.class);
	}

	/**
	 * Runs.
	 * @param arguments port of a Redis, how many operations, and how often to look
	 * @throws Exception if anything fails
	 */
	public static void main(String[] arguments) throws Exception {
		long operations = Long.parseLong(arguments[1]);
		int looks = Integer.parseInt(arguments[2]);
		try (ConfigurableApplicationContext application = start(arguments[0])) {
			Hour hour = new Hour(application);
			look();
			for (int look = 0; look < looks; look++) {
				Crowd.work(operations * look / looks, operations * (look + 1) / looks, hour::operation);
				TimeUnit.MILLISECONDS.sleep(2 * RETENTION_MILLIS);
				// A near cache tidies up when it is used.
				Crowd.work(operations + FEW * look, operations + FEW * (look + 1), hour::operation);
				TimeUnit.MILLISECONDS.sleep(2 * RETENTION_MILLIS);
				look();
			}
			hour.requireFewRanTwice(operations);
		}
	}

	/** Where a thread stood still for longer than the retention, and only there. */
	private void requireFewRanTwice(long operations) {
		if (this.ranTwice.sum() > operations / 100) {
			throw new IllegalStateException(this.ranTwice + " of " + operations + " operations ran twice");
		}
	}

	private static ConfigurableApplicationContext start(String port) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.data.redis.port=" + port, "--idempotent.defaults.lease=1s",
					"--idempotent.store.redis.timeout=10s",
					"--idempotent.defaults.retention=" + RETENTION_MILLIS + "ms",
					"--idempotent.operations[" + SHARED + "].when-in-progress=wait");
	}

	private static void look() throws Exception {
		// The first collection may only find out what the second one can free.
		long objects = Heap.objectsOfTheLibrary();
		ChildJvm.report(Heap.used(), ManagementFactory.getThreadMXBean().getThreadCount(), objects);
	}

	/**
	 * An operation; of a number of them each fifth is submitted twice, each tenth fails
	 * at first, each tenth holds a lock, and each eighth is submitted by two threads at
	 * about the same time.
	 */
	private void operation(long number) {
		String key = "order-" + number;
		if (number % 10 == 3) {
			fail(key);
		}
		require(this.operations.execute(WORK, key, String.class, (context) -> ANSWER));
		if (number % 5 == 0) {
			require(this.operations.execute(WORK, key, String.class, (context) -> {
				this.ranTwice.increment();
				return ANSWER;
			}));
		}
		if (number % 10 == 7) {
			hold("order-" + number);
		}
		if (number % 8 < 2) {
			require(this.operations.execute(SHARED, "shared-" + number / 8, String.class, (context) -> ANSWER));
		}
	}

	private void fail(String key) {
		try {
			this.operations.executeWithoutResult(WORK, key, (context) -> {
				throw new IllegalStateException(key);
			});
		}
		catch (IllegalStateException ex) {
			if (key.equals(ex.getMessage())) {
				return;
			}
			throw ex;
		}
		throw new IllegalStateException("A failure was swallowed");
	}

	private void hold(String name) {
		DistributedLock lock = this.locks.get(name);
		lock.lock();
		try {
			if (!lock.isHeldByCurrentThread()) {
				throw new IllegalStateException("The lock is not held");
			}
		}
		finally {
			lock.unlock();
		}
	}

	private static void require(String answer) {
		if (!answer.equals(ANSWER)) {
			throw new IllegalStateException("An operation was answered " + answer);
		}
	}

	/**
	 * Nothing but the starter.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	static class Application {

	}

}
