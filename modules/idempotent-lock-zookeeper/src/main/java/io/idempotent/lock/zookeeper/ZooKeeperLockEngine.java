package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.InterruptibleWait;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.curator.utils.PathUtils;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Locks in ZooKeeper, by the recipe of Curator's
 * {@link org.apache.curator.framework.recipes.locks.InterProcessMutex}: waiting nodes
 * stand in a line of ephemeral nodes and each watches the one before it, so locks are
 * always fair.
 *
 * <p>
 * The lease is the session timeout that the servers have granted, whatever a request asks
 * for: a lock lives as long as the session of its holder, and all locks of a client end
 * together. The token is the transaction that created the holder's node. A lock that is
 * free costs two round trips, a refusal three, a renewal and a release one; the first
 * lock of a name also creates the node its line stands below.
 *
 * <p>
 * {@code acquire} fails at once while the client is not connected, and waits for a single
 * answer no longer than the client's connection timeout. Curator's retry policy decides
 * how long a candidate that waits for a holder outlives a lost connection. Each call that
 * waits takes a thread of the engine along with the caller's own. A release with a time
 * to keep the lock holds only while this process and its session live.
 */
public final class ZooKeeperLockEngine implements LockEngine {

	private static final Log logger = LogFactory.getLog(ZooKeeperLockEngine.class);

	private final ZooKeeperSessionClient ensemble;

	private final String basePath;

	private final boolean ownsClient;

	private final ExecutorService candidates;

	private volatile @Nullable SessionEvents events;

	/**
	 * Creates an engine on a client that stays the caller's: namespace, credentials and
	 * ACLs are configured there, and an ACL must let its creator read, write, create and
	 * delete.
	 * @param client a client that was started
	 * @param basePath where the locks are, below the namespace of the client, such as
	 * {@code /idempotent/locks}
	 * @throws IllegalArgumentException if the path is none
	 */
	public ZooKeeperLockEngine(CuratorFramework client, String basePath) {
		this(client, basePath, false);
	}

	private ZooKeeperLockEngine(CuratorFramework client, String basePath, boolean ownsClient) {
		this.ensemble = new ZooKeeperSessionClient(client);
		this.basePath = PathUtils.validatePath(basePath);
		this.ownsClient = ownsClient;
		this.candidates = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 30, TimeUnit.SECONDS, new SynchronousQueue<>(),
				ZooKeeperLockEngine::newThread);
	}

	/**
	 * Creates an engine with a client of its own, which ends with it, and waits for its
	 * first connection, but no longer than the connection timeout: servers that are down
	 * do not keep an application from starting.
	 * @param settings how to connect
	 * @return the engine
	 * @throws IllegalArgumentException if a path or the namespace is none
	 */
	public static ZooKeeperLockEngine connect(Settings settings) {
		CuratorFramework client = settings.newClient();
		ZooKeeperLockEngine engine = new ZooKeeperLockEngine(client, settings.basePath(), true);
		client.start();
		try {
			int patience = client.getZookeeperClient().getConnectionTimeoutMs();
			if (!client.blockUntilConnected(patience, TimeUnit.MILLISECONDS)) {
				logger.warn("There is no connection to the ZooKeeper servers " + settings.connectString()
						+ " yet; locks are unavailable until it is established");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return engine;
	}

	private static Thread newThread(Runnable task) {
		Thread thread = new Thread(task, "idempotent-lock-zookeeper-candidate");
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public String name() {
		return "zookeeper";
	}

	@Override
	public boolean queuesWaiters() {
		return true;
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			return acquire(request, wait, waiting);
		}
	}

	private @Nullable LockGrant acquire(LockRequest request, Duration wait, InterruptibleWait waiting)
			throws InterruptedException {
		if (!this.ensemble.isConnected()) {
			throw unavailable(request, "there is no connection", null);
		}
		LockContender candidate = new LockContender(this.ensemble, request.name(),
				ZKPaths.makePath(this.basePath, NodeNames.encode(request.name())), !wait.isZero());
		AcquireTask attempt = new AcquireTask(candidate);
		try {
			this.candidates.execute(attempt);
			return attempt.await(wait.toNanos(), this.ensemble.patience(), waiting);
		}
		catch (TimeoutException ex) {
			if (candidate.isInLine() && this.ensemble.isConnected()) {
				return null;
			}
			throw unavailable(request, "there was no answer in time", ex);
		}
		catch (ExecutionException ex) {
			throw unavailable(request, String.valueOf(ex.getCause()), ex.getCause());
		}
		catch (RejectedExecutionException ex) {
			throw unavailable(request, "the engine is closed", ex);
		}
	}

	private LockUnavailableException unavailable(LockRequest request, String why, @Nullable Throwable cause) {
		return this.ensemble.unavailable("take", request.name(), why, cause);
	}

	ZooKeeperSessionClient ensemble() {
		return this.ensemble;
	}

	@Override
	public void observe(ConnectionObserver observer) {
		SessionEvents events = new SessionEvents(this.ensemble, observer);
		this.events = events;
		this.ensemble.client().getConnectionStateListenable().addListener(events);
	}

	@Override
	public void close() {
		this.candidates.shutdownNow();
		if (this.events != null) {
			this.ensemble.client().getConnectionStateListenable().removeListener(this.events);
		}
		if (this.ownsClient) {
			this.ensemble.client().close();
		}
	}

	/**
	 * How to connect.
	 *
	 * @param connectString the servers, as {@code host:port,host:port/chroot}
	 * @param sessionTimeout how long a session outlives its client: the lease of locks.
	 * The servers may grant another, by default between 2 and 20 of their ticks
	 * @param connectionTimeout how long to wait for a connection and for an answer
	 * @param retries how often what failed is repeated
	 * @param retryDelay how long to wait before the first repetition, at most; it doubles
	 * each time
	 * @param namespace the node below which everything is, or {@code null}
	 * @param credentials {@code user:password} for digest authentication: then nodes
	 * belong to this user alone; or {@code null}, then they are open to everyone
	 * @param basePath where the locks are, below the namespace
	 */
	public record Settings(String connectString, Duration sessionTimeout, Duration connectionTimeout, int retries,
			Duration retryDelay, @Nullable String namespace, @Nullable String credentials, String basePath) {

		/**
		 * Checks the settings.
		 * @throws IllegalArgumentException if the credentials are none; the message does
		 * not contain them
		 */
		public Settings {
			if (credentials != null && credentials.indexOf(':') < 1) {
				throw new IllegalArgumentException("The ZooKeeper credentials are not of the form user:password");
			}
		}

		private CuratorFramework newClient() {
			CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
				.connectString(this.connectString)
				.sessionTimeoutMs(Math.toIntExact(this.sessionTimeout.toMillis()))
				.connectionTimeoutMs(Math.toIntExact(this.connectionTimeout.toMillis()))
				.retryPolicy(new ExponentialBackoffRetry(Math.toIntExact(this.retryDelay.toMillis()), this.retries))
				.namespace(this.namespace);
			if (this.credentials != null) {
				builder.authorization("digest", this.credentials.getBytes(StandardCharsets.UTF_8))
					.aclProvider(new CreatorOnly());
			}
			return builder.build();
		}

		/**
		 * Leaves the credentials out.
		 */
		@Override
		public String toString() {
			return "Settings[" + this.connectString + ", " + this.namespace + this.basePath + "]";
		}

	}

	private static final class CreatorOnly implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.CREATOR_ALL_ACL;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return Ids.CREATOR_ALL_ACL;
		}

	}

}
