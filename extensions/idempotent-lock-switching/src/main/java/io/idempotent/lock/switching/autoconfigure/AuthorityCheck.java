package io.idempotent.lock.switching.autoconfigure;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Fails the start if other nodes of this application agree on an engine at an authority
 * that this node does not use: it would not notice when they switch.
 */
final class AuthorityCheck {

	private static final Log logger = LogFactory.getLog(AuthorityCheck.class);

	private static final String UNKNOWN = "It is not known whether other nodes agree on a lock engine elsewhere";

	/** How long a server has to respond while the application starts. */
	private static final long PATIENCE_SECONDS = 5;

	private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

	private AuthorityCheck() {
	}

	/** {@code own} is the authority of this node, or null if it does not switch. */
	static void requireNoOther(@Nullable String own, List<LockEngine> available, String entry) {
		for (LockEngine engine : available) {
			SharedEntry store = engine.name().equals(own) ? null : engine.sharedEntry(entry);
			Properties others = (store != null) ? alive(store) : null;
			if (others == null) {
				continue;
			}
			String reason = "other nodes " + values(others, ".description").sorted().toList()
					+ " agree on the lock engine in '" + engine.name() + "' (now '" + others.getProperty("engine")
					+ "', epoch " + others.getProperty("epoch")
					+ "), and when they switch, a lock would have two holders";
			throw (own != null)
					? new InvalidConfigurationException("idempotent.lock.switching.authority", own, reason,
							"Give all nodes the same authority. To change it, stop all nodes first")
					: new InvalidConfigurationException("idempotent.lock.switching.enabled", "false", reason,
							"Enable it on all nodes. To switch it off, stop all nodes first");
		}
	}

	private static @Nullable Properties alive(SharedEntry store) {
		try {
			return hasEntry(store) ? agreedByOthers(store) : null;
		}
		catch (LockUnavailableException ex) {
			logger.debug(UNKNOWN, ex);
		}
		catch (IllegalArgumentException ex) {
			logger.warn(UNKNOWN + ": their entry cannot be read (" + ex.getMessage() + ")");
		}
		return null;
	}

	/** Whether a server has an entry, as far as it responds in time. */
	private static boolean hasEntry(SharedEntry store) {
		CompletableFuture<Boolean> found = new CompletableFuture<>();
		DaemonThreads.start("idempotent-lock-authority-check", () -> {
			try {
				found.complete(store.read().version() != 0);
			}
			catch (Throwable ex) {
				logger.debug(UNKNOWN, ex);
				found.complete(false);
			}
		});
		return found.completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS).join();
	}

	/**
	 * The entry of live nodes, or null if there are none. Waits until one of them has
	 * written, or all their leases have ended. Throws {@link LockUnavailableException} if
	 * the thread is interrupted, and leaves it interrupted. Throws an
	 * IllegalArgumentException if the entry cannot be read.
	 */
	static @Nullable Properties agreedByOthers(SharedEntry store) {
		Properties first = read(store);
		Properties latest = first;
		long wait = values(first, ".lease").mapToLong(AuthorityCheck::nanosToExpiry).max().orElse(0);
		long start = System.nanoTime();
		while (!latest.isEmpty() && System.nanoTime() - start < wait) {
			LockSupport.parkNanos(POLL_INTERVAL);
			if (Thread.currentThread().isInterrupted()) {
				throw new LockUnavailableException(UNKNOWN + ": interrupted while waiting for them", null);
			}
			latest = read(store);
			if (!beats(first).containsAll(beats(latest))) {
				return latest;
			}
		}
		return null;
	}

	private static Properties read(SharedEntry store) {
		Properties entry = new Properties();
		try {
			entry.load(new StringReader(store.read().text()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return entry;
	}

	/** A tenth longer, since clocks may differ in speed. */
	private static long nanosToExpiry(String leaseMillis) {
		return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(leaseMillis)) / 10 * 11;
	}

	/** The counters that grow with each write of a node. */
	private static Set<Map.Entry<Object, Object>> beats(Properties entry) {
		return entry.entrySet()
			.stream()
			.filter((property) -> property.getKey().toString().endsWith(".beat"))
			.collect(Collectors.toSet());
	}

	private static Stream<String> values(Properties entry, String suffix) {
		return entry.stringPropertyNames()
			.stream()
			.filter((name) -> name.startsWith("member.") && name.endsWith(suffix))
			.map(entry::getProperty);
	}

}
