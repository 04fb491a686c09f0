package io.idempotent.lock.switching.autoconfigure;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.switching.Epochs;
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

	private AuthorityCheck() {
	}

	/** {@code own} is the authority of this node, or null if it does not switch. */
	static void requireNoOther(@Nullable String own, List<LockEngine> available, String entry) {
		for (LockEngine engine : available) {
			SharedEntry store = engine.name().equals(own) ? null : engine.sharedEntry(entry);
			String others = (store != null) ? agreed(store) : null;
			if (others == null) {
				continue;
			}
			String reason = "other nodes agree on the lock engine in '" + engine.name() + "' (" + others
					+ "), and when they switch, a lock would have two holders";
			throw (own != null)
					? new InvalidConfigurationException("idempotent.lock.switching.authority", own, reason,
							"Give all nodes the same authority. To change it, stop all nodes first")
					: new InvalidConfigurationException("idempotent.lock.switching.enabled", "false", reason,
							"Enable it on all nodes. To switch it off, stop all nodes first");
		}
	}

	private static @Nullable String agreed(SharedEntry store) {
		try {
			return hasEntry(store) ? Epochs.agreedByOthers(store) : null;
		}
		catch (LockUnavailableException ex) {
			logger.warn(UNKNOWN + ": " + ex.getMessage());
			return null;
		}
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

}
