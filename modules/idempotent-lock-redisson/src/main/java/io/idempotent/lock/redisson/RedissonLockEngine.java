package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.InterruptibleWait;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.command.CommandAsyncExecutor;

/**
 * Locks in Redis, over a {@link RedissonClient}: one server, Sentinel or Cluster. The
 * lock is laid out as Redisson's own, so it excludes code that uses
 * {@link RedissonClient#getLock(String)} or {@link RedissonClient#getFencedLock(String)}
 * with the same name on the same servers, and each wakes the other; tokens are counted
 * together with those of fenced locks. To such code each grant is held by a thread of
 * nobody's: {@code isLocked()} says yes and {@code isHeldByCurrentThread()} no.
 *
 * <p>
 * Taking a free lock is one command, renewing, passing on and releasing are one each. Who
 * waits subscribes to the releases (a subscription is shared by all who wait for the lock
 * on a client) and asks again when one is told, when the lease it waits for must have
 * ended, and every 5 seconds, in case a message was lost. Where there are replicas,
 * Redisson sends a {@code WAIT} along with each attempt to take a lock, so that a
 * failover does not forget a grant that one replica has heard of; with its setting
 * {@code checkLockSyncedSlaves}, which is on by default, a grant that no replica has
 * heard of is refused. Renewals and releases are not waited for. Redis replicates
 * asynchronously all the same, and a failover can grant a lock twice: only what checks
 * the token decides then.
 *
 * <p>
 * <b>Fair</b> locks grant to waiting nodes in the order in which they asked. All nodes
 * must agree whether a name is fair: a release of a lock that is not fair does not wake
 * those who wait fairly before their 5 seconds. A waiting node that died is passed over
 * after 30 seconds. {@link RedissonClient#getFairLock(String)} is excluded too, but turns
 * are not shared with it: it times the places in the queue in another way.
 *
 * <p>
 * A token is at least the time in microseconds, by the clock of the server, so that it
 * grows even when Redis has forgotten everything, as long as that clock is not set back.
 * A lock leaves nothing behind when it is released but its token counter, one small key
 * that is gone a day after the last grant. Fenced locks of Redisson's own, which count
 * from 1, then start again; do not let them share a name with ours.
 *
 * <p>
 * The client is asked for when the first lock is taken, and never closed here. Redisson's
 * watchdog is not used. A call ends within Redisson's own time-outs ({@code timeout},
 * {@code subscriptionTimeout}; the first one connects, which takes {@code connectTimeout}
 * for each of {@code retryAttempts}), and no answer is waited for longer than 30 seconds.
 */
public final class RedissonLockEngine implements LockEngine {

	private static final Log logger = LogFactory.getLog(RedissonLockEngine.class);

	private static final List<Long> TAKEN = List.of(0L, 0L);

	/** What Redis says of the time to live of a key that has none. */
	private static final long NO_TIME_TO_LIVE = -1;

	private static final long ASK_AGAIN = TimeUnit.SECONDS.toNanos(5);

	private static final Pattern PRINTABLE_WITHOUT_BRACES = Pattern.compile("[!-z|~]*");

	private final Supplier<? extends RedissonClient> client;

	private final String keyPrefix;

	private volatile @Nullable CommandAsyncExecutor redis;

	private volatile boolean connected;

	/**
	 * Creates the engine of locks that stand in Redis under their own names. Nothing is
	 * connected.
	 * @param client gives the client, the same one each time; it must be one that
	 * {@link Redisson} created and not a wrapper around it
	 */
	public RedissonLockEngine(Supplier<? extends RedissonClient> client) {
		this(client, "");
	}

	/**
	 * Creates the engine. Nothing is connected.
	 * @param client gives the client, the same one each time; it must be one that
	 * {@link Redisson} created and not a wrapper around it
	 * @param keyPrefix what stands before the name of each lock in Redis, so that
	 * applications which share one keep their locks apart: printable ASCII without spaces
	 * and without braces, or nothing. To Redisson the prefix is part of the name
	 * @throws IllegalArgumentException if the prefix is not like that
	 */
	public RedissonLockEngine(Supplier<? extends RedissonClient> client, String keyPrefix) {
		if (!PRINTABLE_WITHOUT_BRACES.matcher(keyPrefix).matches()) {
			throw new IllegalArgumentException("The key prefix '" + keyPrefix
					+ "' of locks must consist of printable ASCII characters without spaces and without { or }, "
					+ "which would spread a lock over several nodes of a Redis Cluster; use one such as 'shop:lock:'");
		}
		this.client = client;
		this.keyPrefix = keyPrefix;
	}

	@Override
	public String name() {
		return "redisson";
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			return acquire(request, wait, waiting);
		}
	}

	private @Nullable LockGrant acquire(LockRequest request, Duration wait, InterruptibleWait waiting)
			throws InterruptedException {
		RedisLock lock = new RedisLock(redis(), this.keyPrefix + request.name(), request.fair());
		long end = System.nanoTime() + wait.toNanos();
		boolean mayWait = !wait.isZero();
		List<Long> answer = take(lock, request, mayWait, waiting);
		if (mayWait && !isGrant(answer)) {
			answer = takeWhenReleased(lock, request, end, waiting);
		}
		return isGrant(answer) ? new RedissonGrant(lock, answer.get(0), request.lease()) : null;
	}

	private List<Long> takeWhenReleased(RedisLock lock, LockRequest request, long end, InterruptibleWait waiting)
			throws InterruptedException {
		boolean granted = false;
		try (Subscription releases = RedisFutures.ask(lock::subscribe, "wait for " + lock)) {
			List<Long> answer = TAKEN;
			long left = end - System.nanoTime();
			// Asked again at once, since the release may have come before the
			// subscription.
			boolean asking = releases.begin(left, waiting);
			while (asking) {
				answer = take(lock, request, true, waiting);
				left = end - System.nanoTime();
				asking = !isGrant(answer) && left > 0;
				if (asking) {
					releases.await(Math.min(left, untilAskedAgain(answer)), waiting);
				}
			}
			granted = isGrant(answer);
			return answer;
		}
		finally {
			if (!granted && request.fair()) {
				giveBack(lock);
			}
		}
	}

	private List<Long> take(RedisLock lock, LockRequest request, boolean mayWait, InterruptibleWait waiting)
			throws InterruptedException {
		String what = "take " + lock;
		while (true) {
			try {
				return requireLease(lock,
						hear(lock, ask(() -> lock.take(request.lease(), mayWait), what), what, waiting));
			}
			catch (LockUnavailableException ex) {
				if (RedisFutures.isWrongType(ex)) {
					throw RedisFutures.foreignKey(lock, ex);
				}
				// Redisson takes an interrupt for a failure now and then.
				if (!Thread.interrupted()) {
					throw ex;
				}
				waiting.interrupted((InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex));
			}
		}
	}

	/**
	 * Waits for the answer to an attempt. Whatever keeps it from being heard, a grant
	 * does not outlive it: it is given back as soon as the answer has come or cannot come
	 * any more.
	 */
	private static List<Long> hear(RedisLock lock, CompletableFuture<List<Long>> answer, String what,
			InterruptibleWait waiting) throws InterruptedException {
		try {
			return RedisFutures.await(answer, what, waiting);
		}
		catch (InterruptedException | LockUnavailableException ex) {
			CompletableFuture<?> unused = answer.whenComplete((heard, failure) -> giveBack(lock));
			throw ex;
		}
	}

	/**
	 * Gives back a grant nobody heard of, or the place in a queue, without waiting: what
	 * does not arrive ends by itself.
	 */
	static void giveBack(RedisLock lock) {
		try {
			CompletableFuture<?> unused = lock.release(Duration.ZERO).whenComplete((held, failure) -> {
				if (failure != null) {
					logger.debug("Could not give back " + lock + "; it ends with its lease", failure);
				}
			});
		}
		catch (RuntimeException ex) {
			logger.debug("Could not give back " + lock + "; it ends with its lease", ex);
		}
	}

	/**
	 * Every lock has a lease: a hash that lives for ever is somebody's data.
	 */
	private static List<Long> requireLease(RedisLock lock, List<Long> answer) {
		if (!isGrant(answer) && answer.get(1) == NO_TIME_TO_LIVE) {
			giveBack(lock);
			throw RedisFutures.foreignKey(lock, null);
		}
		return answer;
	}

	/**
	 * Asks, on another thread as long as there was no answer yet. Redisson connects with
	 * the first question, on the thread that asks, and fails if that is interrupted.
	 */
	private CompletableFuture<List<Long>> ask(Supplier<CompletableFuture<List<Long>>> question, String what) {
		if (this.connected) {
			return RedisFutures.ask(question, what);
		}
		CompletableFuture<List<Long>> answer = new CompletableFuture<>();
		Thread thread = new Thread(() -> connect(question, answer), "idempotent-lock-redisson-connect");
		thread.setDaemon(true);
		thread.start();
		return answer;
	}

	private void connect(Supplier<CompletableFuture<List<Long>>> question, CompletableFuture<List<Long>> answer) {
		try {
			CompletableFuture<?> unused = question.get().whenComplete((heard, failure) -> {
				if (failure != null) {
					answer.completeExceptionally(failure);
				}
				else {
					this.connected = true;
					answer.complete(heard);
				}
			});
		}
		catch (RuntimeException ex) {
			answer.completeExceptionally(ex);
		}
	}

	private static boolean isGrant(List<Long> answer) {
		return answer.get(0) > 0;
	}

	private static long untilAskedAgain(List<Long> answer) {
		long millis = answer.get(1);
		// Negative if there is no lease to wait for: a free lock, but the turn of
		// another.
		return (millis < 0) ? ASK_AGAIN : Math.min(ASK_AGAIN, TimeUnit.MILLISECONDS.toNanos(millis + 1));
	}

	private CommandAsyncExecutor redis() {
		CommandAsyncExecutor current = this.redis;
		if (current == null) {
			current = commands(RedisFutures.ask(this.client::get, "create its RedissonClient"));
			this.redis = current;
		}
		return current;
	}

	private static CommandAsyncExecutor commands(RedissonClient client) {
		if (client instanceof Redisson redisson) {
			return redisson.getCommandExecutor();
		}
		throw new IllegalStateException("The lock engine 'redisson' needs a RedissonClient that Redisson.create(...)"
				+ " returned, but the application's is a " + client.getClass().getName()
				+ ": hand the engine the client that it wraps");
	}

}
