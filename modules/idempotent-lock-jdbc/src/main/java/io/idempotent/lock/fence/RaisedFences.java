package io.idempotent.lock.fence;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.transaction.ObservedTransaction;
import org.jspecify.annotations.Nullable;

/**
 * The fences that the open transactions of each thread have raised, suspended
 * transactions included.
 */
final class RaisedFences {

	/** Not static: another application in this JVM has its own guard. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Map<String, RaisedFence>> fences = new ThreadLocal<>();

	@Nullable RaisedFence find(String name) {
		Map<String, RaisedFence> raised = this.fences.get();
		return (raised != null) ? raised.get(name) : null;
	}

	/**
	 * Remembers a fence until the transaction that has raised it completes.
	 * @param name the fence
	 * @param token its token
	 * @param transaction the transaction
	 */
	void add(String name, long token, ObservedTransaction transaction) {
		RaisedFence fence = new RaisedFence(token, transaction.point());
		Map<String, RaisedFence> raised = this.fences.get();
		if (raised == null) {
			raised = new ConcurrentHashMap<>();
			this.fences.set(raised);
		}
		raised.put(name, fence);
		Map<String, RaisedFence> ofThread = raised;
		transaction.afterCompletion(() -> remove(ofThread, name, fence));
	}

	/**
	 * Removes a fence. JTA may complete the transaction on another thread; then at most
	 * an empty map remains for the thread that raised the fence.
	 */
	private void remove(Map<String, RaisedFence> ofThread, String name, RaisedFence fence) {
		ofThread.remove(name, fence);
		if (ofThread.isEmpty() && this.fences.get() == ofThread) {
			this.fences.remove();
		}
	}

	/**
	 * The number of fences that are remembered for the current thread.
	 * @return how many
	 */
	int ofCurrentThread() {
		Map<String, RaisedFence> raised = this.fences.get();
		return (raised != null) ? raised.size() : 0;
	}

}
