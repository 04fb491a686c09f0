package io.idempotent.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ContestTests {

	private static final int ROUNDS = 5;

	private static final Effort EFFORT = new Effort(true, ROUNDS, Duration.ofMillis(20));

	private final List<String> turns = new ArrayList<>();

	private Contender contender(String name) {
		return new Contender(name, (stopwatch) -> {
			note(name);
			pause(100);
		});
	}

	/** Notes whose turn it is when that changes. */
	private synchronized void note(String name) {
		if (this.turns.isEmpty() || !this.turns.get(this.turns.size() - 1).equals(name)) {
			this.turns.add(name);
		}
	}

	private static void pause(long micros) {
		long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
		while (System.nanoTime() - end < 0) {
			LockSupport.parkNanos(1000);
		}
	}

	@Test
	void everyContenderRunsOncePerRoundAndOnceToWarmUp() throws Exception {
		List<String> names = List.of("a", "b", "c");
		List<Integer> began = Collections.synchronizedList(new ArrayList<>());
		Map<String, Thread> last = new ConcurrentHashMap<>();
		new Contest(EFFORT, 1).run(names.stream().map((name) -> new Contender(name, (stopwatch) -> {
			// Each turn has a new thread.
			if (last.put(name, Thread.currentThread()) != Thread.currentThread()) {
				began.add(names.indexOf(name));
			}
			pause(100);
		})).toList());
		assertThat(began).hasSize((ROUNDS + 1) * names.size());
		Set<List<Integer>> orders = new HashSet<>();
		for (int round = 0; round <= ROUNDS; round++) {
			List<Integer> order = began.subList(round * names.size(), (round + 1) * names.size());
			assertThat(order).containsExactlyInAnyOrder(0, 1, 2);
			orders.add(order);
		}
		assertThat(orders).as("orders").hasSizeGreaterThan(1);
	}

	@Test
	void contendersDoNotMeet() throws Exception {
		new Contest(EFFORT, 2).run(List.of(contender("a"), contender("b")));
		assertThat(this.turns).hasSizeLessThanOrEqualTo(2 * (ROUNDS + 1));
	}

	@Test
	void aSlowContenderIsDetected() throws Exception {
		Map<String, Figures> figures = new Contest(EFFORT, 1).run(List.of(new Contender("fast", (stopwatch) -> {
			// However busy the machine is, this takes less time than a pause.
		}), new Contender("slow", (stopwatch) -> pause(1000))));
		assertThat(figures.keySet()).containsExactly("fast", "slow");
		assertThat(figures.get("slow").p50().median()).isGreaterThanOrEqualTo(1000)
			.isGreaterThan(2 * figures.get("fast").p50().median());
		assertThat(figures.get("fast").throughput().median())
			.isGreaterThan(2 * figures.get("slow").throughput().median());
	}

	@Test
	void theWarmUpDoesNotCount() throws Exception {
		Set<Thread> turns = ConcurrentHashMap.newKeySet();
		Figures figures = new Contest(EFFORT, 1).run(List.of(new Contender("starts slowly", (stopwatch) -> {
			turns.add(Thread.currentThread());
			pause((turns.size() == 1) ? 100_000 : 100);
		}))).get("starts slowly");
		assertThat(figures.p99().high()).isLessThan(100_000);
		assertThat(figures.throughput().low()).isGreaterThan(10);
	}

	@Test
	void onlyTheTimeOnTheStopwatchCounts() throws Exception {
		Figures figures = new Contest(EFFORT, 1).run(List.of(new Contender("prepares", (stopwatch) -> {
			pause(2000);
			stopwatch.start();
			stopwatch.stop();
			pause(2000);
		}))).get("prepares");
		assertThat(figures.p50().high()).isLessThan(2000);
		assertThat(figures.throughput().high()).isLessThan(250);
	}

	@Test
	void throughputIsTheSumOfAllThreads() throws Exception {
		Set<Integer> threads = ConcurrentHashMap.newKeySet();
		Figures figures = new Contest(EFFORT, 4).run(List.of(new Contender("waits", (stopwatch) -> {
			threads.add(stopwatch.thread());
			Thread.sleep(5);
		}))).get("waits");
		assertThat(threads).containsExactlyInAnyOrder(0, 1, 2, 3);
		assertThat(figures.throughput().high()).isGreaterThan(200).isLessThanOrEqualTo(800);
	}

	@Test
	void equalThreadsHaveEqualShares() throws Exception {
		Figures figures = new Contest(EFFORT, 4).run(List.of(new Contender("equal", (stopwatch) -> Thread.sleep(2))))
			.get("equal");
		assertThat(figures.fairness().median()).isGreaterThan(50).isLessThanOrEqualTo(100);
	}

	@Test
	void aStarvedThreadIsDetected() throws Exception {
		Figures figures = new Contest(EFFORT, 4)
			.run(List.of(new Contender("unfair", (stopwatch) -> Thread.sleep((stopwatch.thread() == 3) ? 20 : 1))))
			.get("unfair");
		assertThat(figures.fairness().median()).isLessThan(30);
	}

	@Test
	void aTaskThatFailsFailsTheContest() {
		assertThatExceptionOfType(Exception.class).isThrownBy(
				() -> new Contest(EFFORT, 2).run(List.of(contender("fine"), new Contender("broken", (stopwatch) -> {
					throw new IllegalStateException("no answer");
				}))))
			.havingRootCause()
			.withMessage("no answer");
	}

	@Test
	void aMeterTellsWhatATaskUses() throws Exception {
		AtomicInteger units = new AtomicInteger();
		Contender contender = new Contender("uses two", (stopwatch) -> units.addAndGet(2))
			.with(List.of(new Contender.Meter("units", units::doubleValue)));
		Figures figures = new Contest(EFFORT, 3).run(List.of(contender)).get("uses two");
		assertThat(figures.used()).containsOnlyKeys("units");
		assertThat(figures.used().get("units")).isEqualTo(Spread.exactly(2));
	}

}
