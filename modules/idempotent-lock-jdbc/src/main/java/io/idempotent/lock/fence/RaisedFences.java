package io.idempotent.lock.fence;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionPoint;
import org.jspecify.annotations.Nullable;

/** The fences raised by the open transactions of each thread, also by suspended ones. */
final class RaisedFences {

	/** Not static: another application in this JVM has its own guard. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Map<String, Fence>> fences = new ThreadLocal<>();

	@Nullable Fence find(String name) {
		Map<String, Fence> raised = this.fences.get();
		return (raised != null) ? raised.get(name) : null;
	}

	void add(String name, long token, ObservedTransaction transaction) {
		Fence fence = new Fence(token, transaction.point());
		Map<String, Fence> raised = this.fences.get();
		if (raised == null) {
			raised = new ConcurrentHashMap<>();
			this.fences.set(raised);
		}
		raised.put(name, fence);
		Map<String, Fence> ofThread = raised;
		transaction.afterCompletion(() -> remove(ofThread, name, fence));
	}

	/** With JTA perhaps on another thread; then at most an empty map remains. */
	private void remove(Map<String, Fence> ofThread, String name, Fence fence) {
		ofThread.remove(name, fence);
		if (ofThread.isEmpty() && this.fences.get() == ofThread) {
			this.fences.remove();
		}
	}

	int ofCurrentThread() {
		Map<String, Fence> raised = this.fences.get();
		return (raised != null) ? raised.size() : 0;
	}

	/** Until the transaction ends, no other one can raise the fence. */
	record Fence(long token, TransactionPoint since) {

		/** The transaction may be suspended. */
		boolean isStanding() {
			return this.since.isOpen();
		}

	}

}
