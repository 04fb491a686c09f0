package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.testing.RedisTalk;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.KeysScanOptions;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.NameMapper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Beside Redisson's own locks of the same name, and in terms of commands.
 */
@Timeout(120)
@Tag("slow")
class RedissonInteropTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static EmbeddedRedis server;

	@AutoClose
	private static TestRedisson clients;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final String name = "interop:" + System.nanoTime();

	private final LockEngine engine = clients.node();

	private final RedissonClient client = clients.client(this.engine);

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
		clients = TestRedisson.of(server);
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		clients.close(this.engine);
	}

	@Test
	void excludesRedissonsOwnLocksOfTheSameThread() throws Exception {
		LockGrant grant = take(false, Duration.ZERO);
		assertThat(this.client.getLock(this.name).tryLock()).isFalse();
		assertThat(this.client.getFencedLock(this.name).tryLock()).isFalse();
		assertThat(this.client.getFairLock(this.name).tryLock()).isFalse();
		assertThat(this.client.getLock(this.name).isLocked()).isTrue();
		assertThat(this.client.getLock(this.name).isHeldByCurrentThread()).isFalse();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(this.client.getLock(this.name).tryLock()).isTrue();
	}

	/** As the log of commands shows: what is left of a lease depends on the time. */
	@Test
	void aLeaseIsRoundedUp() throws Exception {
		LockGrant grant = take(false, Duration.ZERO);
		RedisTalk.tell(server, "CONFIG SET slowlog-log-slower-than 0");
		grant.renew(LEASE.plusNanos(1));
		RedisTalk.tell(server, "CONFIG SET slowlog-log-slower-than -1");
		assertThat(RedisTalk.ask(server, "SLOWLOG GET 10")).contains("20001").doesNotContain("20000");
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void isExcludedByRedissonsOwnLocksOfTheSameThread() throws Exception {
		for (RLock lock : List.of(this.client.getLock(this.name), this.client.getFencedLock(this.name),
				this.client.getFairLock(this.name))) {
			lock.lock();
			assertThat(acquire(false, Duration.ZERO)).isNull();
			assertThat(acquire(true, Duration.ZERO)).isNull();
			lock.unlock();
			take(false, Duration.ZERO).release(Duration.ZERO);
		}
	}

	@Test
	void aKeyThatIsNoLockIsAnErrorThatNamesIt() throws Exception {
		List<Runnable> foreign = List.of(() -> this.client.getBucket(this.name).set("a text"),
				() -> this.client.getBucket(this.name).set("for a while", Duration.ofMinutes(1)),
				() -> this.client.getMap(this.name).put("status", "PAID"));
		for (Runnable data : foreign) {
			data.run();
			for (boolean fair : new boolean[] { false, true }) {
				for (Duration wait : List.of(Duration.ZERO, LockEngine.FOREVER)) {
					assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> acquire(fair, wait))
						.withMessageContainingAll("the lock '" + this.name + "'", "a key of this name that is no lock",
								"idempotent.lock.namespace");
				}
			}
			assertThat(this.client.getKeys().delete(this.name)).isEqualTo(1);
		}
		assertThat(acquire(true, Duration.ZERO)).as("no place in the queue is left").isNotNull();
	}

	@Test
	void isWokenByRedissonsOwnLock() throws Exception {
		RLock lock = this.client.getLock(this.name);
		lock.lock();
		Future<LockGrant> waiting = this.threads.submit(() -> take(false, LockEngine.FOREVER));
		awaitSubscription();
		try (RedisMonitor monitor = RedisMonitor.of(server)) {
			lock.unlock();
			waiting.get(20, TimeUnit.SECONDS).release(Duration.ZERO);
			assertThat(monitor.commands()).as("unlock and its DEL, one attempt, one release")
				.containsEntry("evalsha", 3);
		}
	}

	@Test
	void wakesRedissonsOwnLocksOfAllClients() throws Exception {
		LockEngine other = clients.node();
		for (RedissonClient waiter : List.of(this.client, clients.client(other))) {
			LockGrant grant = take(false, Duration.ZERO);
			RLock lock = waiter.getLock(this.name);
			Future<?> waiting = this.threads.submit(() -> {
				lock.lock();
				lock.unlock();
			});
			awaitSubscription();
			grant.release(Duration.ZERO);
			// Long before the lease would have ended.
			waiting.get(1, TimeUnit.MINUTES);
		}
		clients.close(other);
	}

	@Test
	void anInterruptedWaiterConsumesNoRelease() throws Exception {
		LockGrant grant = take(false, Duration.ZERO);
		AtomicReference<Thread> first = new AtomicReference<>();
		Future<LockGrant> interrupted = this.threads.submit(() -> {
			first.set(Thread.currentThread());
			return take(false, LockEngine.FOREVER);
		});
		awaitWaiting(first);
		AtomicReference<Thread> second = new AtomicReference<>();
		Future<LockGrant> waiting = this.threads.submit(() -> {
			second.set(Thread.currentThread());
			return take(false, LockEngine.FOREVER);
		});
		awaitWaiting(second);
		try (RedisMonitor monitor = RedisMonitor.of(server)) {
			first.get().interrupt();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> interrupted.get(20, TimeUnit.SECONDS))
				.withCauseInstanceOf(InterruptedException.class);
			grant.release(Duration.ZERO);
			waiting.get(20, TimeUnit.SECONDS).release(Duration.ZERO);
			assertThat(monitor.commands()).as("the end of a wait, a release, the attempt it woke, a release")
				.containsEntry("evalsha", 4);
		}
	}

	@Test
	void countsTokensTogetherWithFencedLocks() throws Exception {
		RFencedLock fenced = this.client.getFencedLock(this.name);
		long last = 0;
		for (int i = 0; i < 9; i++) {
			long token;
			if (i % 3 == 0) {
				token = fenced.lockAndGetToken();
				fenced.unlock();
			}
			else {
				LockGrant grant = take(i % 3 == 1, Duration.ZERO);
				token = grant.token();
				grant.release(Duration.ZERO);
			}
			assertThat(token).isGreaterThan(last);
			last = token;
		}
	}

	@Test
	void followsTheNameMapperOfTheClient() throws Exception {
		TestRedisson prefixed = TestRedisson.at(server.host(), server.port(),
				(config) -> config.setNameMapper(new Prefix()));
		LockEngine node = prefixed.node();
		assertExcludes(node, prefixed.client(node).getFencedLock(this.name));
		prefixed.close(node);
	}

	private void assertExcludes(LockEngine prefixed, RFencedLock fenced) throws Exception {
		for (boolean fair : new boolean[] { false, true }) {
			LockGrant grant = requireNonNull(prefixed.acquire(request(fair, LEASE), Duration.ZERO));
			assertThat(fenced.tryLock()).isFalse();
			assertThat(this.client.getLock("app:" + this.name).isLocked()).isTrue();
			assertThat(this.client.getLock(this.name).isLocked()).isFalse();
			grant.release(Duration.ZERO);
			assertThat(fenced.tryLockAndGetToken()).isGreaterThan(grant.token());
			assertThat(prefixed.acquire(request(fair, LEASE), Duration.ZERO)).isNull();
			fenced.unlock();
		}
	}

	@Test
	void oneCommandTakesAFreeLockAndOneReleasesIt() throws Exception {
		for (boolean fair : new boolean[] { false, true }) {
			takeRenewAndRelease(fair);
			try (RedisMonitor monitor = RedisMonitor.of(server)) {
				LockGrant grant = take(fair, LockEngine.FOREVER);
				assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
				grant.renew(LEASE);
				assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
				grant.release(Duration.ZERO);
				assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
			}
		}
	}

	@Test
	void oneCommandHandsALockOffAndWakesNoOtherNode() throws Exception {
		takeRenewAndRelease(false);
		take(false, Duration.ZERO).handOff(new LockRequest(this.name, LEASE, false)).release(Duration.ZERO);
		LockGrant first = take(false, Duration.ZERO);
		try (RedisMonitor monitor = RedisMonitor.of(server)) {
			LockGrant next = first.handOff(new LockRequest(this.name, LEASE, false));
			assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
			assertThat(this.client.getLock(this.name).isLocked()).isTrue();
			next.release(Duration.ZERO);
		}
		LockGrant fair = take(true, Duration.ZERO);
		assertThat(fair.handOff(new LockRequest(this.name, LEASE, true))).isNull();
		fair.release(Duration.ZERO);
	}

	@Test
	void oneCommandFindsALockTaken() throws Exception {
		for (boolean fair : new boolean[] { false, true }) {
			takeRenewAndRelease(fair);
			LockGrant grant = take(fair, Duration.ZERO);
			try (RedisMonitor monitor = RedisMonitor.of(server)) {
				assertThat(acquire(fair, Duration.ZERO)).isNull();
				assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
			}
			grant.release(Duration.ZERO);
		}
	}

	@Test
	void aWaitCostsOneSubscriptionAndAnAttemptPerWakeUp() throws Exception {
		for (boolean fair : new boolean[] { false, true }) {
			takeRenewAndRelease(fair);
			LockGrant grant = take(fair, Duration.ZERO);
			try (RedisMonitor monitor = RedisMonitor.of(server)) {
				waitInVain(fair, monitor);
				assertThat(waitInVain(fair, monitor)).containsOnly(Map.entry("evalsha", 4), Map.entry("subscribe", 1),
						Map.entry("unsubscribe", 1));
			}
			grant.release(Duration.ZERO);
		}
	}

	private Map<String, Integer> waitInVain(boolean fair, RedisMonitor monitor) throws InterruptedException {
		// Longer than a subscription takes, and shorter than the interval of attempts.
		assertThat(acquire(fair, Duration.ofSeconds(2))).isNull();
		Map<String, Integer> commands = new TreeMap<>();
		await().until(() -> {
			monitor.commands().forEach((command, count) -> commands.merge(command, count, Integer::sum));
			return commands.containsKey("unsubscribe");
		});
		// Redisson's own, in its interval.
		commands.remove("ping");
		return commands;
	}

	@Test
	void startsNoWatchdog() throws Exception {
		TestRedisson watched = TestRedisson.at(server.host(), server.port(),
				(config) -> config.setLockWatchdogTimeout(150));
		LockEngine node = watched.node();
		try (RedisMonitor monitor = RedisMonitor.of(server)) {
			LockGrant grant = requireNonNull(node.acquire(request(false, Duration.ofSeconds(1)), Duration.ZERO));
			monitor.commands();
			await().atMost(Duration.ofSeconds(20)).until(() -> monitor.ask("EXISTS " + this.name) == 0);
			assertThat(monitor.commands()).containsOnlyKeys("exists");
			assertThat(grant.renew(LEASE)).isEqualTo(GrantState.LOST);
		}
		watched.close(node);
	}

	@Test
	void leavesOnlyTheTokenCounterBehindForADay() throws Exception {
		takeRenewAndRelease(false);
		takeRenewAndRelease(true);
		String counter = "redisson_lock_token:{" + this.name + "}";
		assertThat(this.client.getKeys().getKeys(KeysScanOptions.defaults().pattern("*" + this.name + "*")))
			.containsExactly(counter);
		assertThat(Duration.ofMillis(this.client.getKeys().remainTimeToLive(counter))).isBetween(Duration.ofHours(23),
				Duration.ofHours(24));
	}

	@Test
	void raisesTheTokenAfterItsCounterWasLost() throws Exception {
		for (boolean fair : new boolean[] { false, true }) {
			LockGrant grant = take(fair, Duration.ZERO);
			grant.release(Duration.ZERO);
			assertThat(this.client.getKeys().delete("redisson_lock_token:{" + this.name + "}")).isOne();
			LockGrant next = take(fair, Duration.ZERO);
			assertThat(next.token()).isGreaterThan(grant.token());
			next.release(Duration.ZERO);
		}
	}

	@Test
	void raisesTheTokenAfterTheServersClockWasSetBack() throws Exception {
		long ahead = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1));
		this.client.getAtomicLong("redisson_lock_token:{" + this.name + "}").set(ahead);
		for (boolean fair : new boolean[] { false, true }) {
			LockGrant grant = take(fair, Duration.ZERO);
			assertThat(grant.token()).isEqualTo(++ahead);
			grant.release(Duration.ZERO);
		}
	}

	@Test
	void fairLocksAreGrantedInTheOrderOfRequests() throws Exception {
		LockGrant grant = take(true, Duration.ZERO);
		List<Integer> order = new ArrayList<>();
		List<Future<?>> waiting = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			int number = i;
			waiting.add(this.threads.submit(() -> {
				LockGrant mine = take(true, LockEngine.FOREVER);
				order.add(number);
				mine.release(Duration.ZERO);
				return null;
			}));
			awaitQueue(i + 1);
		}
		assertThat(acquire(true, Duration.ofMillis(100))).isNull();
		awaitQueue(4);
		grant.release(Duration.ZERO);
		for (Future<?> done : waiting) {
			done.get(30, TimeUnit.SECONDS);
		}
		assertThat(order).containsExactly(0, 1, 2, 3);
	}

	@Test
	void anInterruptedWaiterGivesItsPlaceUp() throws Exception {
		LockGrant grant = take(true, Duration.ZERO);
		AtomicReference<Thread> first = new AtomicReference<>();
		Future<?> interrupted = this.threads.submit(() -> {
			first.set(Thread.currentThread());
			return take(true, LockEngine.FOREVER);
		});
		awaitQueue(1);
		Future<LockGrant> next = this.threads.submit(() -> take(true, LockEngine.FOREVER));
		awaitQueue(2);
		first.get().interrupt();
		awaitQueue(1);
		grant.release(Duration.ZERO);
		next.get(20, TimeUnit.SECONDS).release(Duration.ZERO);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> interrupted.get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(InterruptedException.class);
	}

	@Test
	void aWaiterThatDiedLosesItsPlace() throws Exception {
		this.client.getDeque("redisson_lock_queue:{" + this.name + "}", StringCodec.INSTANCE).add("dead:-1");
		this.client.getScoredSortedSet("redisson_lock_timeout:{" + this.name + "}", StringCodec.INSTANCE)
			.add(1, "dead:-1");
		take(true, Duration.ZERO).release(Duration.ZERO);
		assertThat(queue()).isZero();
	}

	@Test
	void worksOnAWrapperAroundTheClient() throws Exception {
		RedissonClient wrapper = ObservedDataSource.intercept(this.client, MethodInvocation::proceed);
		LockEngine wrapped = new RedissonLockEngine(() -> wrapper, "");
		LockGrant grant = requireNonNull(wrapped.acquire(request(false, LEASE), Duration.ZERO));
		assertThat(acquire(false, Duration.ZERO)).isNull();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void isWokenAfterRedissonsOwnWaiterOfThisClient() throws Exception {
		LockGrant grant = take(false, Duration.ZERO);
		RLock lock = this.client.getLock(this.name);
		Future<?> own = this.threads.submit(() -> {
			lock.lock();
			lock.unlock();
		});
		awaitSubscription();
		// Either of them may be the first to take the lock.
		Future<GrantState> waiting = this.threads.submit(() -> take(false, LockEngine.FOREVER).release(Duration.ZERO));
		await().until(() -> this.client.getTopic("redisson_lock__channel:{" + this.name + "}").countListeners() > 1);
		long start = System.nanoTime();
		grant.release(Duration.ZERO);
		own.get(20, TimeUnit.SECONDS);
		assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(GrantState.HELD);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
	}

	@Test
	void isWokenBesideANameMapper() throws Exception {
		TestRedisson prefixed = TestRedisson.at(server.host(), server.port(),
				(config) -> config.setNameMapper(new Prefix()));
		LockEngine node = prefixed.node();
		for (boolean fair : new boolean[] { false, true }) {
			LockGrant grant = requireNonNull(node.acquire(request(fair, LEASE), Duration.ZERO));
			Future<@Nullable LockGrant> waiting = this.threads
				.submit(() -> node.acquire(request(fair, LEASE), LockEngine.FOREVER));
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> waiting.get(700, TimeUnit.MILLISECONDS));
			long start = System.nanoTime();
			grant.release(Duration.ZERO);
			requireNonNull(waiting.get(20, TimeUnit.SECONDS)).release(Duration.ZERO);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
		}
		prefixed.close(node);
	}

	@Test
	void aClientThatCannotBeCreatedIsUnavailable() {
		LockEngine broken = new RedissonLockEngine(() -> Redisson.create(new Config().setCodec(StringCodec.INSTANCE)),
				"");
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> broken.acquire(request(false, LEASE), Duration.ZERO))
			.withMessageContaining("RedissonClient");
	}

	private void takeRenewAndRelease(boolean fair) throws InterruptedException {
		LockGrant grant = take(fair, Duration.ZERO);
		grant.renew(LEASE);
		grant.release(Duration.ZERO);
	}

	private LockGrant take(boolean fair, Duration wait) throws InterruptedException {
		return requireNonNull(acquire(fair, wait));
	}

	private @Nullable LockGrant acquire(boolean fair, Duration wait) throws InterruptedException {
		return this.engine.acquire(request(fair, LEASE), wait);
	}

	private LockRequest request(boolean fair, Duration lease) {
		return new LockRequest(this.name, lease, fair);
	}

	private void awaitWaiting(AtomicReference<Thread> thread) {
		awaitSubscription();
		await().until(() -> thread.get() != null && Arrays.stream(thread.get().getStackTrace())
			.anyMatch((frame) -> frame.getClassName().equals(Semaphore.class.getName())));
	}

	private void awaitSubscription() {
		await().until(() -> this.client.getTopic("redisson_lock__channel:{" + this.name + "}").countSubscribers() == 1);
	}

	private void awaitQueue(int length) {
		await().until(() -> queue() == length);
	}

	private int queue() {
		return this.client.getDeque("redisson_lock_queue:{" + this.name + "}", StringCodec.INSTANCE).size();
	}

	private static final class Prefix implements NameMapper {

		@Override
		public String map(String name) {
			return "app:" + name;
		}

		@Override
		public String unmap(String name) {
			return name.substring(4);
		}

	}

}
