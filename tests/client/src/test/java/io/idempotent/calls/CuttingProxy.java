package io.idempotent.calls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.calls.Cut.Direction;

/**
 * Leads connections to the servers in turn, and cuts the next ones at a point. Bytes are
 * counted from {@link #arm} on, so that a connection that is used again is cut as well.
 */
final class CuttingProxy implements AutoCloseable {

	private final List<Integer> targets;

	private final ServerSocket listener;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

	private int accepted;

	private Cut cut = Cut.NONE;

	private int remaining;

	private int requestBytes;

	private int responseBytes;

	CuttingProxy(List<Integer> targets) {
		this.targets = targets;
		try {
			this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	String url() {
		return "http://localhost:" + this.listener.getLocalPort();
	}

	/** The next attempts are cut. */
	void arm(Cut next) {
		synchronized (this) {
			this.cut = next;
			this.remaining = next.times();
			this.requestBytes = 0;
			this.responseBytes = 0;
		}
		this.connections.forEach(Connection::restart);
		if (next.direction() == Direction.CONNECTION) {
			this.connections.forEach(Connection::close);
		}
	}

	/** Whether at least one attempt is cut; the last byte may be on its way. */
	synchronized boolean awaitCut(Cut armed) {
		try {
			for (int i = 0; i < 20 && this.remaining == armed.times(); i++) {
				wait(100);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return this.remaining < armed.times();
	}

	synchronized int requestBytes() {
		return this.requestBytes;
	}

	synchronized int responseBytes() {
		return this.responseBytes;
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket client = this.listener.accept();
				if (isCut(Direction.CONNECTION, 0)) {
					client.close();
					continue;
				}
				int target = this.targets.get(this.accepted++ % this.targets.size());
				Connection connection = new Connection(client, new Socket(InetAddress.getLoopbackAddress(), target));
				this.connections.add(connection);
				this.threads.execute(connection::passRequests);
				this.threads.execute(connection::passResponses);
			}
			catch (IOException ex) {
				// Closed: the loop ends.
			}
		}
	}

	/** How many more bytes pass, at most. */
	private synchronized int allowed(Direction direction, int passed) {
		return (this.remaining > 0 && this.cut.direction() == direction) ? Math.max(0, this.cut.bytes() - passed)
				: Integer.MAX_VALUE;
	}

	private synchronized boolean isCut(Direction direction, int passed) {
		boolean reached = this.remaining > 0 && this.cut.direction() == direction && passed >= this.cut.bytes();
		if (reached) {
			this.remaining--;
			notifyAll();
		}
		return reached;
	}

	private synchronized void passed(Direction direction, int bytes) {
		this.requestBytes += (direction == Direction.REQUEST) ? bytes : 0;
		this.responseBytes += (direction == Direction.RESPONSE) ? bytes : 0;
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		this.connections.forEach(Connection::close);
		this.threads.shutdownNow();
	}

	/**
	 * A connection of a client to a server.
	 */
	private final class Connection {

		private final Socket client;

		private final Socket server;

		private final AtomicInteger requested = new AtomicInteger();

		private final AtomicInteger responded = new AtomicInteger();

		Connection(Socket client, Socket server) {
			this.client = client;
			this.server = server;
		}

		void restart() {
			this.requested.set(0);
			this.responded.set(0);
		}

		void passRequests() {
			pass(this.client, this.server, Direction.REQUEST);
		}

		void passResponses() {
			pass(this.server, this.client, Direction.RESPONSE);
		}

		private void pass(Socket from, Socket to, Direction direction) {
			byte[] buffer = new byte[8192];
			try {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				int count;
				while ((count = in.read(buffer)) > 0) {
					int allowed = Math.min(count, allowed(direction, count(direction, 0)));
					passed(direction, allowed);
					// Before the client has the response and arms the next cut.
					boolean cut = isCut(direction, count(direction, allowed));
					out.write(buffer, 0, allowed);
					out.flush();
					if (cut) {
						break;
					}
				}
			}
			catch (IOException ex) {
				// The connection is over, for both sides.
			}
			finally {
				close();
			}
		}

		private int count(Direction direction, int more) {
			return ((direction == Direction.REQUEST) ? this.requested : this.responded).addAndGet(more);
		}

		void close() {
			CuttingProxy.this.connections.remove(this);
			try {
				this.client.close();
				this.server.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
