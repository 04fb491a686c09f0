package io.idempotent.lock.zookeeper;

import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.LockInternals;
import org.apache.curator.framework.recipes.locks.LockInternalsDriver;
import org.apache.curator.framework.recipes.locks.PredicateResults;
import org.apache.curator.framework.recipes.locks.StandardLockInternalsDriver;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Stands in the line for a lock, once: Curator's {@link InterProcessMutex}, which keeps
 * to itself which node it has made. The mutex belongs to the thread that took it and is
 * forgotten; the node is what is held, and may be deleted by anyone. The wait is ours:
 * the recipe's could not be given up without a trace, see {@link PredecessorWatcher}.
 */
final class LockContender implements Callable<@Nullable ZooKeeperGrant>, LockInternalsDriver {

	/** What the recipe puts before the number of a node. */
	private static final String LOCK_NAME = "lock-";

	private final ZooKeeperSessionClient ensemble;

	private final String lock;

	private final String parent;

	private final boolean waits;

	private final StandardLockInternalsDriver recipe = new StandardLockInternalsDriver();

	private final PredecessorWatcher predecessor;

	private final CountDownLatch inLine = new CountDownLatch(1);

	private @Nullable String path;

	private Stat created = new Stat();

	private volatile boolean waiting;

	/**
	 * Creates the candidate.
	 * @param ensemble the servers
	 * @param lock the name of the lock
	 * @param parent the node that the line stands below
	 * @param waits whether it waits for its turn
	 */
	LockContender(ZooKeeperSessionClient ensemble, String lock, String parent, boolean waits) {
		this.ensemble = ensemble;
		this.lock = lock;
		this.parent = parent;
		this.waits = waits;
		this.predecessor = new PredecessorWatcher(ensemble);
	}

	/**
	 * Waits until the servers have said that somebody else is before us.
	 * @param nanos how long
	 * @return whether they have, or the call is over
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitLine(long nanos) throws InterruptedException {
		return this.inLine.await(nanos, TimeUnit.NANOSECONDS);
	}

	boolean isInLine() {
		return this.waiting;
	}

	void leaveLine() {
		this.inLine.countDown();
	}

	@Override
	public @Nullable ZooKeeperGrant call() throws Exception {
		try {
			new InterProcessMutex(this.ensemble.client(), this.parent, this).acquire();
			return grant();
		}
		catch (Taken ex) {
			return null;
		}
		catch (Exception ex) {
			this.predecessor.forget();
			throw ex;
		}
	}

	private ZooKeeperGrant grant() throws Exception {
		String path = Objects.requireNonNull(this.path);
		try {
			Stat node = this.created;
			if (node.getCzxid() == 0) {
				// The reply was lost, and the node found by the mark in its name.
				node = this.ensemble.client().checkExists().forPath(path);
			}
			ZooKeeper session = this.ensemble.session();
			if (session == null || node == null || node.getEphemeralOwner() != ZooKeeperSessionClient.id(session)) {
				throw new IllegalStateException("the session ended while the lock was taken");
			}
			Duration lease = Duration.ofMillis(session.getSessionTimeout());
			return new ZooKeeperGrant(this.ensemble, this.lock, path, node, lease);
		}
		catch (Exception ex) {
			this.ensemble.deleteInBackground(path);
			throw ex;
		}
	}

	@Override
	public String createsTheLock(CuratorFramework client, String path, byte[] data) throws Exception {
		this.created = new Stat();
		this.path = client.create()
			.storingStatIn(this.created)
			.creatingParentContainersIfNeeded()
			.withProtection()
			.withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
			.forPath(path);
		return this.path;
	}

	@Override
	public PredicateResults getsTheLock(CuratorFramework client, List<String> line, String node, int places)
			throws Exception {
		PredicateResults results = this.recipe.getsTheLock(client, line, node, places);
		while (!results.getsTheLock()) {
			if (!this.waits) {
				throw new Taken();
			}
			this.waiting = true;
			this.inLine.countDown();
			String before = results.getPathToWatch();
			boolean gone = this.predecessor.awaitChange(ZKPaths.makePath(this.parent, before));
			if (gone && before.equals(line.get(0))) {
				// Nobody comes in before us, so nobody is left there.
				return new PredicateResults(null, true);
			}
			line = LockInternals.getSortedChildren(client, this.parent, LOCK_NAME, this);
			results = this.recipe.getsTheLock(client, line, node, places);
		}
		return results;
	}

	@Override
	public String fixForSorting(String node, String lockName) {
		return this.recipe.fixForSorting(node, lockName);
	}

	/**
	 * Ends the recipe of a candidate that does not wait.
	 */
	private static final class Taken extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		Taken() {
			super(null, null, true, false);
		}

	}

}
