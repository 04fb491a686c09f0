package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.engine.SharedEntry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.utils.PathUtils;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Locks in ZooKeeper. Each holder or waiting caller has an ephemeral sequential node; the
 * lowest sequence number holds the lock, and every other node watches the one before it.
 * So locks are always fair, also between readers and writers: a reader watches the
 * nearest writer before it, and holds the lock when no writer is before it. The nodes are
 * those of Curator's {@code InterProcessMutex}, which excludes these locks, and is
 * excluded by them, below the same path.
 *
 * <p>
 * The lease is the session timeout that the servers have granted, whatever the request: a
 * lock ends with the session of its holder, and all locks of a client end together. The
 * token is the id of the transaction that created the holder's node. A free lock costs
 * two requests in one round trip, a refusal one request and round trip more, a renewal
 * and a release one each; the first lock of a name also creates the parent of its nodes.
 *
 * <p>
 * {@code acquire} fails at once while the client is not connected, and waits for a single
 * reply no longer than the client's connection timeout. Curator's retry policy decides
 * how long a waiting call survives a lost connection. A lock that stays locked after its
 * release does so only while this process and its session exist.
 */
public final class ZooKeeperLockEngine implements LockEngine {

	private static final Log logger = LogFactory.getLog(ZooKeeperLockEngine.class);

	private final ZooKeeperSessionClient zooKeeper;

	private final ZooKeeperLockInspector inspector;

	private final String basePath;

	private final boolean ownsClient;

	private volatile @Nullable SessionEvents events;

	/**
	 * Creates an engine on an existing client, which it does not close. Namespace,
	 * credentials and ACLs are configured on the client; an ACL must permit its creator
	 * to read, write, create and delete.
	 * @param client a client that was started
	 * @param basePath the parent of all locks, below the namespace of the client, such as
	 * {@code /idempotent/locks}
	 * @param node the name of this node, which it writes into the nodes of its locks, so
	 * that operators can tell which node holds them; or an empty text
	 * @throws IllegalArgumentException if the path is not valid
	 */
	public ZooKeeperLockEngine(CuratorFramework client, String basePath, String node) {
		this(client, basePath, node, false);
	}

	private ZooKeeperLockEngine(CuratorFramework client, String basePath, String node, boolean ownsClient) {
		this.zooKeeper = new ZooKeeperSessionClient(client, node);
		this.inspector = new ZooKeeperLockInspector(this.zooKeeper);
		this.basePath = PathUtils.validatePath(basePath);
		this.ownsClient = ownsClient;
	}

	/**
	 * Creates an engine with its own client, which it closes, and waits for the first
	 * connection, at most for the connection timeout: an application starts even if the
	 * servers are down. Sets the credentials on the given builder.
	 * @param settings how to connect. The session timeout is the lease of locks; the
	 * servers may grant another one, by default between 2 and 20 of their ticks
	 * @param credentials {@code user:password} for digest authentication: then only this
	 * user may access the nodes; or {@code null}, then everyone may
	 * @param basePath the parent of all locks, below the chroot
	 * @param node the name of this node, as above
	 * @throws IllegalArgumentException if the path is not valid, or the credentials have
	 * no user before a colon; the message does not contain them
	 */
	public static ZooKeeperLockEngine connect(CuratorFrameworkFactory.Builder settings, @Nullable String credentials,
			String basePath, String node) {
		if (credentials != null) {
			if (credentials.indexOf(':') < 1) {
				throw new IllegalArgumentException("The ZooKeeper credentials are not of the form user:password");
			}
			settings.authorization("digest", credentials.getBytes(StandardCharsets.UTF_8))
				.aclProvider(new CreatorOnly());
		}
		CuratorFramework client = settings.build();
		ZooKeeperLockEngine engine = new ZooKeeperLockEngine(client, basePath, node, true);
		client.start();
		try {
			if (!client.blockUntilConnected(client.getZookeeperClient().getConnectionTimeoutMs(),
					TimeUnit.MILLISECONDS)) {
				logger.warn("There is no connection to the ZooKeeper servers "
						+ client.getZookeeperClient().getCurrentConnectionString()
						+ " yet; locks are unavailable until it is established");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return engine;
	}

	@Override
	public String name() {
		return "zookeeper";
	}

	@Override
	public boolean supports(LockMode mode) {
		return true;
	}

	@Override
	public boolean queuesWaiters() {
		return true;
	}

	/** The entry is a node below the base path with {@code -epoch} appended. */
	@Override
	public SharedEntry sharedEntry(String name) {
		return new ZooKeeperSharedEntry(this.zooKeeper,
				ZKPaths.makePath(this.basePath + "-epoch", NodeFormat.encode(name)));
	}

	@Override
	public LockState inspect(String name) {
		return this.inspector.inspect(name, parent(name));
	}

	@Override
	public boolean forceRelease(String name) {
		return this.inspector.forceRelease(name, parent(name));
	}

	private String parent(String lock) {
		return ZKPaths.makePath(this.basePath, NodeFormat.encode(lock));
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		String what = "take the lock '" + request.name() + "'";
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			if (this.zooKeeper.isClosed()) {
				throw this.zooKeeper.unavailable(what, ZooKeeperSessionClient.CLOSED, null);
			}
			this.zooKeeper.requireConnection(what);
			return acquire(what, new NodeContender(this.zooKeeper, request,
					this.zooKeeper.fullPath(parent(request.name())), wait, waiting));
		}
	}

	private @Nullable LockGrant acquire(String what, NodeContender contender) throws InterruptedException {
		try {
			return contender.acquire();
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (TimeoutException ex) {
			if (contender.isQueued() && this.zooKeeper.isConnected()) {
				return null;
			}
			throw this.zooKeeper.unavailable(what, "there was no reply in time", ex);
		}
		catch (ExecutionException ex) {
			throw this.zooKeeper.unavailable(what, String.valueOf(ex.getCause()), ex.getCause());
		}
		catch (Exception ex) {
			throw this.zooKeeper.unavailable(what, ex.toString(), ex);
		}
	}

	ZooKeeperSessionClient sessionClient() {
		return this.zooKeeper;
	}

	@Override
	public void observe(ConnectionObserver observer) {
		SessionEvents events = new SessionEvents(this.zooKeeper, observer);
		this.events = events;
		this.zooKeeper.client().getConnectionStateListenable().addListener(events);
	}

	@Override
	public void close() {
		this.zooKeeper.close();
		if (this.events != null) {
			this.zooKeeper.client().getConnectionStateListenable().removeListener(this.events);
		}
		if (this.ownsClient) {
			this.zooKeeper.client().close();
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
