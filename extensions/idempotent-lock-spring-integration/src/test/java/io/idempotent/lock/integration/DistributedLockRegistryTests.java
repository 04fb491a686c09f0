package io.idempotent.lock.integration;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockLostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What Spring Integration expects of a lock registry.
 */
@Timeout(60)
class DistributedLockRegistryTests {

	@AutoClose
	private static EmbeddedRedis server;

	private final RedisNode node = new RedisNode(server.host(), server.port());

	private final RedisNode otherNode = new RedisNode(server.host(), server.port());

	private final DistributedLockRegistry registry = this.node.registry();

	private final DistributedLockRegistry otherRegistry = this.otherNode.registry();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
	}

	@AfterEach
	void close() {
		Thread.interrupted();
		this.threads.shutdownNow();
		this.node.close();
		this.otherNode.close();
	}

	@Nested
	class Locks {

		@Test
		void excludeOtherNodesAndThreads() throws Exception {
			DistributedLock lock = registry.obtain("a");
			lock.lock();
			assertThat(otherRegistry.obtain("a").tryLock()).isFalse();
			assertThat(inOtherThread(() -> registry.obtain("a").tryLock())).isFalse();
			lock.unlock();
			assertThat(otherRegistry.obtain("a").tryLock(1, TimeUnit.SECONDS)).isTrue();
			otherRegistry.obtain("a").unlock();
		}

		@Test
		void areEnteredAgainByAnyHandle() {
			registry.obtain("b").lock();
			assertThat(registry.obtain("b").tryLock()).isTrue();
			registry.obtain("b").unlock();
			assertThat(otherRegistry.obtain("b").tryLock()).isFalse();
			registry.obtain("b").unlock();
			assertThat(otherRegistry.obtain("b").tryLock()).isTrue();
			otherRegistry.obtain("b").unlock();
		}

		@Test
		void keepTheInterruptOfAThreadThatWaits() throws Exception {
			otherRegistry.obtain("f").lock();
			CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
			Thread waiting = new Thread(() -> {
				registry.obtain("f").lock(Duration.ofSeconds(5));
				interrupted.complete(Thread.currentThread().isInterrupted());
				registry.obtain("f").unlock();
			});
			waiting.start();
			waiting.interrupt();
			otherRegistry.obtain("f").unlock();
			assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
			waiting.join();
		}

		@Test
		void takeATimeToLiveAsTheLease() throws Exception {
			DistributedLock lock = registry.obtain("g");
			assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(2))).isTrue();
			assertThat(otherRegistry.obtain("g").tryLock(3, TimeUnit.SECONDS)).isFalse();
			lock.unlock();
		}

		@Test
		void reportTheirLoss() {
			registry.obtain("h").lock();
			server.restart();
			await().untilAsserted(() -> assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("h")));
			assertThatExceptionOfType(LockLostException.class).isThrownBy(registry.obtain("h")::unlock);
		}

	}

	@Nested
	class Renewals {

		@Test
		void needTheLock() throws Exception {
			assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("i"))
				.withMessageContaining("integration:i");
			registry.obtain("i").lock();
			registry.renewLock("i");
			registry.renewLock("i", Duration.ofSeconds(10));
			assertThat(inOtherThread(() -> {
				assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("i"));
				return true;
			})).isTrue();
			registry.obtain("i").unlock();
		}

	}

	@Nested
	class Keys {

		@Test
		void areUsedAsTheyAreIfPlain() throws Exception {
			registry.executeLocked("nightly-jobs", () -> assertThat(node.locks().held()).singleElement()
				.satisfies((lock) -> assertThat(lock.name()).isEqualTo("integration:nightly-jobs")));
		}

		@Test
		void mayBeAnyText() throws Exception {
			for (String key : List.of("", " ", "a b", "{", "夜间任务", "x".repeat(1000), "\ud800")) {
				registry.executeLocked(key, () -> {
					assertThat(node.locks().held()).singleElement()
						.satisfies((lock) -> assertThat(lock.name()).startsWith("integration:#"));
					assertThat(otherRegistry.obtain(key).tryLock()).isFalse();
					assertThat(otherRegistry.obtain(key + "!").tryLock()).isTrue();
				});
				otherRegistry.obtain(key + "!").unlock();
			}
		}

		@Test
		void mayBeSimpleValues() {
			UUID id = UUID.randomUUID();
			assertThat(registry.obtain(id)).isEqualTo(registry.obtain(id.toString()));
			assertThat(registry.obtain(42)).isEqualTo(registry.obtain(42L)).isNotEqualTo(registry.obtain(43));
		}

		@Test
		void areRefusedIfTheyIdentifyNothing() {
			assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain(new Object()))
				.withMessageContaining("java.lang.Object");
		}

	}

	private <T> T inOtherThread(Callable<T> task) throws Exception {
		return this.threads.submit(task).get(1, TimeUnit.MINUTES);
	}

}
