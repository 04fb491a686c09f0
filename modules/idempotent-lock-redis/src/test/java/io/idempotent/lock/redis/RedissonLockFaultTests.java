package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Locks over a network and a server that fail. The other node has a network of its own.
 */
@Tag("slow")
@Timeout(120)
class RedissonLockFaultTests {

	private static final Duration LEASE = Duration.ofSeconds(5);

	private final List<LockEvent> events = new CopyOnWriteArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final EmbeddedRedis server = EmbeddedRedis.start();

	private final FaultyProxy network = new FaultyProxy(this.server.host(), this.server.port());

	private final TestRedisson clients = clients("127.0.0.1", this.network.port());

	private final TestRedisson otherClients = clients(this.server.host(), this.server.port());

	private final EngineDistributedLocks locks = locks(this.clients.node());

	private final EngineDistributedLocks otherLocks = locks(this.otherClients.node());

	private final DistributedLock lock = this.locks.get("stock:42");

	private final DistributedLock next = this.otherLocks.get("stock:42");

	TestRedisson clients(String host, int port) {
		return TestRedisson.at(host, port).impatient();
	}

	private EngineDistributedLocks locks(LockEngine engine) {
		return new EngineDistributedLocks(List.of(engine), LEASE, List.of(this.events::add));
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.locks.close();
		this.otherLocks.close();
		this.network.close();
		this.clients.close();
		this.otherClients.close();
		this.server.close();
	}

	@Test
	void aLockDeletedInRedisIsLostAndTheNextOneUnaffected() throws Exception {
		this.lock.lock();
		long token = this.lock.fencingToken();
		this.server.restart();
		assertThat(this.next.tryLock(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.next.fencingToken()).isGreaterThan(token);
		awaitEvent(LockEvent.Type.LOST);
		assertThat(this.lock.isValid()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		assertThat(this.next.isValid()).isTrue();
		this.next.unlock();
	}

	@Test
	void aHolderThatIsCutOffGivesUpBeforeTheNextGrant() throws Exception {
		this.lock.lock();
		this.network.freeze();
		awaitEvent(LockEvent.Type.SUSPECT);
		assertThat(this.next.tryLock(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.lock.isValid()).isFalse();
		awaitEvent(LockEvent.Type.LOST);
		this.network.thaw();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		assertThat(this.next.isValid()).isTrue();
		this.next.unlock();
	}

	@Test
	void aHolderThatIsCutOffBrieflyKeepsItsLock() {
		this.lock.lock();
		this.network.freezeReplies();
		awaitEvent(LockEvent.Type.SUSPECT);
		this.network.thaw();
		awaitEvent(LockEvent.Type.RESUMED);
		assertThat(this.next.tryLock()).isFalse();
		this.lock.unlock();
		assertThat(types()).doesNotContain(LockEvent.Type.LOST);
	}

	@Test
	void anAttemptWithoutReplyIsUnavailableAndHoldsNothing() throws Exception {
		connect();
		this.network.freeze();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.lock::tryLock)
			.withMessageContaining("The lock engine '" + this.locks.engineInForce() + "'")
			.withMessageContaining("'stock:42'");
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
		this.network.thaw();
		assertThat(this.next.tryLock(20, TimeUnit.SECONDS)).isTrue();
		this.next.unlock();
	}

	@Test
	void aGrantWithoutReplyIsGivenBack() throws Exception {
		connect();
		DistributedLock patient = this.locks.get("stock:42", LockOptions.DEFAULTS.withLease(Duration.ofMinutes(10)));
		this.network.dropNextReply();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(patient::tryLock);
		assertThat(this.next.tryLock(20, TimeUnit.SECONDS)).isTrue();
		this.next.unlock();
	}

	/** The network is away for longer than the attempt and the first return wait. */
	@Test
	void aGrantWithoutReplyIsGivenBackWhenTheNetworkIsBack() throws Exception {
		connect();
		DistributedLock patient = this.locks.get("stock:42", LockOptions.DEFAULTS.withLease(Duration.ofMinutes(10)));
		this.network.freezeReplies();
		Future<Boolean> attempt = this.threads.submit(() -> patient.tryLock());
		awaitTaken();
		this.network.freeze();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(attempt::get)
			.withCauseInstanceOf(LockUnavailableException.class);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.locks.get("later")::tryLock);
		this.network.resetConnections();
		this.network.thaw();
		assertThat(this.next.tryLock(30, TimeUnit.SECONDS)).isTrue();
		this.next.unlock();
	}

	@Test
	void aThreadThatMayWaitGetsAGrantWithoutReply() {
		connect();
		DistributedLock patient = this.locks.get("stock:42", LockOptions.DEFAULTS.withLease(Duration.ofMinutes(10)));
		this.network.dropNextReply();
		patient.lock();
		assertThat(patient.holdCount()).isEqualTo(1);
		assertThat(this.next.tryLock()).isFalse();
		patient.unlock();
		assertThat(this.next.tryLock()).isTrue();
		this.next.unlock();
		assertThat(types()).doesNotContain(LockEvent.Type.LOST, LockEvent.Type.UNAVAILABLE);
	}

	@Test
	void aThreadThatMayWaitGetsTheGrantOfAConnectionThatWasReset() throws Exception {
		connect();
		this.network.freezeReplies();
		Future<Boolean> waiting = this.threads.submit(() -> this.lock.tryLock(20, TimeUnit.SECONDS));
		awaitTaken();
		this.network.resetConnections();
		this.network.thaw();
		assertThat(waiting.get(60, TimeUnit.SECONDS)).isTrue();
		assertThat(this.next.tryLock()).isFalse();
	}

	@Test
	void aReleaseWithoutReplyIsRepeatedAfterUnlockReturns() throws Exception {
		this.lock.lock();
		this.network.dropNextReply();
		this.lock.unlock();
		assertThat(types()).contains(LockEvent.Type.RELEASE_DELAYED).doesNotContain(LockEvent.Type.LOST);
		assertThat(this.next.tryLock(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.next.isValid()).isTrue();
		this.next.unlock();
	}

	@Test
	void aServerThatIsAwayIsUnavailableUntilItIsBack() {
		connect();
		this.server.stop();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.lock::tryLock);
		this.server.restart();
		awaitObtainable(this.lock);
	}

	@Test
	void aServerThatStartsLaterIsUnavailableUntilThen() {
		this.server.stop();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.next::tryLock)
			.withMessageContaining("spring.data.redis");
		this.server.restart();
		awaitObtainable(this.next);
	}

	@Test
	void aWaiterFailsWhenTheServerIsAway() throws Exception {
		this.next.lock();
		Future<?> waiting = this.threads.submit(() -> this.lock.lock());
		awaitWaiter();
		this.network.partition();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockUnavailableException.class);
		this.next.unlock();
	}

	@Test
	void aWaiterWhoseMessageWasLostAsksAgain() throws Exception {
		this.next.lock();
		Future<Boolean> waiting = this.threads.submit(() -> {
			this.lock.lock();
			this.lock.unlock();
			return true;
		});
		awaitWaiter();
		this.network.freezeReplies();
		this.next.unlock();
		this.network.breakConnections();
		this.network.thaw();
		assertThat(waiting.get(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aThreadIsInterruptedEvenIfTheNetworkHangs() throws Exception {
		connect();
		this.network.freeze();
		assertThatAnAttemptIsInterrupted();
		this.network.thaw();
		assertThat(this.next.tryLock(20, TimeUnit.SECONDS)).isTrue();
		this.next.unlock();
	}

	@Test
	void aThreadIsInterruptedWhileItConnects() throws Exception {
		this.network.freeze();
		assertThatAnAttemptIsInterrupted();
		this.network.thaw();
		awaitObtainable(this.lock);
	}

	private void assertThatAnAttemptIsInterrupted() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		Future<?> attempt = this.threads.submit(() -> {
			thread.set(Thread.currentThread());
			this.lock.lockInterruptibly();
			return null;
		});
		await().until(() -> thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING);
		thread.get().interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> attempt.get(60, TimeUnit.SECONDS))
			.withCauseInstanceOf(InterruptedException.class);
	}

	@Test
	void aServerWithoutMemoryIsUnavailable() {
		try (EmbeddedRedis full = EmbeddedRedis.start("--maxmemory", "1");
				TestRedisson fullClients = clients(full.host(), full.port());
				EngineDistributedLocks fullLocks = locks(fullClients.node())) {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(fullLocks.get("stock:42")::tryLock)
				.withMessageContaining("maxmemory");
		}
	}

	@Test
	void aServerThatWantsAPasswordIsUnavailable() {
		try (EmbeddedRedis strict = EmbeddedRedis.start("--requirepass", "secret");
				TestRedisson strangers = clients(strict.host(), strict.port());
				EngineDistributedLocks strictLocks = locks(strangers.node())) {
			// Lettuce has another cause if the server closes the connection first.
			await().atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(strictLocks.get("stock:42")::tryLock)
					.withMessageContaining("NOAUTH"));
		}
	}

	/** So that what fails next is the lock and not the first connection. */
	private void connect() {
		DistributedLock first = this.locks.get("first");
		first.lock();
		first.unlock();
		this.next.lock();
		this.next.unlock();
	}

	private static void awaitObtainable(DistributedLock lock) {
		await().atMost(Duration.ofSeconds(30)).ignoreException(LockUnavailableException.class).untilAsserted(() -> {
			assertThat(lock.tryLock()).isTrue();
			lock.unlock();
		});
	}

	private void awaitWaiter() {
		await().until(() -> this.otherClients.anyClient()
			.getTopic("redisson_lock__channel:{stock:42}")
			.countSubscribers() == 1);
	}

	/** Before the attempt times out. */
	private void awaitTaken() {
		await().pollInterval(Duration.ofMillis(20))
			.until(() -> RedisTalk.ask(this.server, "EXISTS stock:42").contains("1"));
	}

	private void awaitEvent(LockEvent.Type type) {
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(types()).contains(type));
	}

	private List<LockEvent.Type> types() {
		return this.events.stream().map(LockEvent::type).toList();
	}

}
