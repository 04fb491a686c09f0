package io.idempotent.lock.zookeeper;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.lock.LockUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Curator's client, and the current state of its connection and session. */
final class ZooKeeperSessionClient {

	static final long NO_SESSION = 0;

	static final String CLOSED = "the engine is closed";

	private static final Log logger = LogFactory.getLog(ZooKeeperSessionClient.class);

	private final CuratorFramework client;

	private final byte[] data;

	private final Set<CompletableFuture<?>> waits = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	/** The name of this node may be empty. */
	ZooKeeperSessionClient(CuratorFramework client, String node) {
		this.client = client;
		this.data = NodeFormat.data(node);
	}

	CuratorFramework client() {
		return this.client;
	}

	/** What this node writes into the nodes of its locks. */
	byte[] data() {
		return this.data;
	}

	boolean isConnected() {
		return this.client.getState() == CuratorFrameworkState.STARTED
				&& this.client.getZookeeperClient().isConnected();
	}

	/** How long to wait for a reply, in milliseconds. */
	long replyTimeout() {
		return this.client.getZookeeperClient().getConnectionTimeoutMs();
	}

	/** Changes when a session expires; null if there is none, as after a close. */
	@Nullable ZooKeeper session() {
		try {
			return this.client.getZookeeperClient().getZooKeeper();
		}
		catch (Exception ex) {
			logger.debug("There is no ZooKeeper session", ex);
			return null;
		}
	}

	/** For the client of a session, which does not know the namespace. */
	String fullPath(String path) {
		String namespace = this.client.getNamespace();
		return namespace.isEmpty() ? path : ZKPaths.fixForNamespace(namespace, path);
	}

	static long id(@Nullable ZooKeeper session) {
		return (session != null && session.getState().isAlive()) ? session.getSessionId() : NO_SESSION;
	}

	/**
	 * Sends a request, with full paths, and never blocks: Curator would create a
	 * namespace of its own on this thread. Curator repeats the request for as long as the
	 * retry policy allows; the result code of the event tells whether it failed.
	 */
	CompletableFuture<CuratorEvent> request(Request request) {
		CompletableFuture<CuratorEvent> reply = new CompletableFuture<>();
		try {
			request.send(this.client.usingNamespace(null), (client, event) -> reply.complete(event));
		}
		catch (Exception ex) {
			reply.completeExceptionally(ex);
		}
		return reply;
	}

	/** Curator repeats this request until it succeeds, or the session ends. */
	CompletableFuture<CuratorEvent> delete(String fullPath) {
		CompletableFuture<CuratorEvent> reply = request(
				(client, callback) -> client.delete().guaranteed().inBackground(callback).forPath(fullPath));
		if (reply.isCompletedExceptionally()) {
			logger.warn("The lock node " + fullPath + " cannot be deleted and remains until its session ends");
		}
		return reply;
	}

	/** Adds a wait that ends with the engine. */
	@SuppressWarnings("CollectionUndefinedEquality")
	<T> CompletableFuture<T> untilClosed(CompletableFuture<T> wait) {
		this.waits.add(wait);
		CompletableFuture<T> unused = wait.whenComplete((result, failure) -> this.waits.remove(wait));
		if (this.closed) {
			wait.completeExceptionally(new IllegalStateException(CLOSED));
		}
		return wait;
	}

	boolean isClosed() {
		return this.closed;
	}

	/** Ends the waits; the client is closed by its owner. */
	void close() {
		this.closed = true;
		this.waits.forEach((wait) -> wait.completeExceptionally(new IllegalStateException(CLOSED)));
	}

	/** Makes blocking requests, whose failure says what they were for. */
	<T> T call(String what, ThrowingSupplier<T, Exception> requests) {
		requireConnection(what);
		try {
			return requests.get();
		}
		catch (Exception ex) {
			if (ex instanceof InterruptedException) {
				Thread.currentThread().interrupt();
			}
			throw unavailable(what, ex.toString(), ex);
		}
	}

	void requireConnection(String what) {
		if (!isConnected()) {
			throw unavailable(what, "there is no connection", null);
		}
	}

	LockUnavailableException unavailable(String what, String why, @Nullable Throwable cause) {
		return new LockUnavailableException("The lock engine 'zookeeper' could not " + what + ": " + why
				+ "; check the ZooKeeper servers " + this.client.getZookeeperClient().getCurrentConnectionString(),
				cause);
	}

	/** A request of Curator in the background. */
	@FunctionalInterface
	interface Request {

		void send(CuratorFramework client, BackgroundCallback callback) throws Exception;

	}

}
