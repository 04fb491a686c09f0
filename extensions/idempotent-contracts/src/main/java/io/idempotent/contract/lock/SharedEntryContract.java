package io.idempotent.contract.lock;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.engine.SharedEntry.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The promises of the entry that nodes share on the servers of a lock engine. The test
 * class of an engine that has one extends this class.
 */
public abstract class SharedEntryContract {

	private static final int NODES = 4;

	private static final int WRITES = 25;

	private final String name = "contract:" + UUID.randomUUID();

	private SharedEntry one;

	private SharedEntry two;

	/** Opens an entry on a connection of its own. One name is one entry. */
	protected abstract SharedEntry open(String name);

	@BeforeEach
	final void openTwo() {
		this.one = open(this.name);
		this.two = open(this.name);
	}

	@Test
	void anEntryIsAbsentAtFirst() {
		assertThat(this.one.read()).isEqualTo(Value.ABSENT);
		assertThat(open(this.name + ":other").write(0, "other")).isTrue();
		assertThat(this.one.read()).isEqualTo(Value.ABSENT);
	}

	@Test
	void anEntryIsCreatedOnce() {
		assertThat(this.one.write(0, "first")).isTrue();
		assertThat(this.two.write(0, "second")).isFalse();
		assertThat(this.two.read().text()).isEqualTo("first");
		assertThat(this.two.read().version()).isPositive().isEqualTo(this.one.read().version());
	}

	@Test
	void anEntryIsReplacedByItsVersionAlone() {
		this.one.write(0, "first");
		long version = this.one.read().version();
		assertThat(this.two.write(version + 1, "never")).isFalse();
		assertThat(this.two.write(version, "second")).isTrue();
		assertThat(this.one.write(version, "third")).isFalse();
		assertThat(this.one.read().text()).isEqualTo("second");
		assertThat(this.one.read().version()).isGreaterThan(version);
	}

	@Test
	void anAbsentEntryIsNotReplaced() {
		assertThat(this.one.write(1, "never")).isFalse();
		assertThat(this.one.read()).isEqualTo(Value.ABSENT);
	}

	@Test
	void aTextIsKeptAsItIs() {
		String text = "a=1\nb=\u4e2d\u6587 'quoted' \\u0020 " + "x".repeat(100_000);
		this.one.write(0, text);
		assertThat(this.two.read().text()).isEqualTo(text);
		assertThat(this.two.write(this.two.read().version(), "")).isTrue();
		assertThat(this.one.read().text()).isEmpty();
		assertThat(this.one.read().version()).isPositive();
	}

	@Test
	void noWriteIsLostAmongMany() throws Exception {
		this.one.write(0, "0");
		ExecutorService nodes = Executors.newFixedThreadPool(NODES);
		try {
			List<Callable<Void>> tasks = IntStream.range(0, NODES).mapToObj((i) -> counting(open(this.name))).toList();
			for (Future<Void> task : nodes.invokeAll(tasks)) {
				task.get();
			}
		}
		finally {
			nodes.shutdownNow();
		}
		assertThat(this.one.read().text()).isEqualTo(Integer.toString(NODES * WRITES));
	}

	private static Callable<Void> counting(SharedEntry store) {
		return () -> {
			for (int written = 0; written < WRITES;) {
				Value entry = store.read();
				if (store.write(entry.version(), Integer.toString(Integer.parseInt(entry.text()) + 1))) {
					written++;
				}
			}
			return null;
		};
	}

}
