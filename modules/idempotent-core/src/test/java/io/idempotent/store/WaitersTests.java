package io.idempotent.store;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.store.WakeUps.Subscription;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who waits for which key in this JVM.
 */
class WaitersTests {

	private final Waiters waiters = new Waiters();

	private final List<String> woken = new ArrayList<>();

	@Test
	void onlyTheWaitersOfAKeyAreWoken() {
		wait("a", "first");
		wait("a", "second");
		wait("b", "other");
		this.waiters.wake(key("a"));
		assertThat(this.woken).containsExactlyInAnyOrder("first", "second");
	}

	@Test
	void aWaiterThatLeftIsNotWoken() {
		Subscription first = wait("a", "first");
		wait("a", "second");
		first.close();
		this.waiters.wake(key("a"));
		assertThat(this.woken).containsExactly("second");
	}

	@Test
	void closingTwiceIsHarmlessAndTheKeyCanBeWaitedForAgain() {
		Subscription first = wait("a", "first");
		first.close();
		first.close();
		wait("a", "later");
		this.waiters.wake(key("a"));
		assertThat(this.woken).containsExactly("later");
	}

	@Test
	void allWaitersCanBeWokenAtOnce() {
		wait("a", "first");
		wait("b", "second");
		this.waiters.wakeAll();
		assertThat(this.woken).containsExactlyInAnyOrder("first", "second");
	}

	@Test
	void aKeyWithoutWaitersMayBeWoken() {
		this.waiters.wake(key("a"));
		this.waiters.wakeAll();
		assertThat(this.woken).isEmpty();
	}

	private Subscription wait(String key, String name) {
		return this.waiters.subscribe(key(key), () -> this.woken.add(name));
	}

	private static OperationKey key(String value) {
		return OperationKey.of("test", "operation", List.of(), value);
	}

}
