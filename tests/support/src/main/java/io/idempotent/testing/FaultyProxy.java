package io.idempotent.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A network between client and server that can be made to fail. Safe for use by several
 * threads.
 */
public final class FaultyProxy implements AutoCloseable {

	private final String targetHost;

	private final int targetPort;

	private final ServerSocket listener;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final Gate requests = new Gate();

	private final Gate replies = new Gate();

	private final AtomicBoolean dropping = new AtomicBoolean();

	private volatile boolean partitioned;

	/**
	 * Listens on a free port of the loopback address.
	 * @param targetHost where connections lead
	 * @param targetPort where connections lead; the server need not be there yet
	 */
	public FaultyProxy(String targetHost, int targetPort) {
		this.targetHost = targetHost;
		this.targetPort = targetPort;
		try {
			this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		run(this::accept);
	}

	private static void run(Runnable work) {
		Thread thread = new Thread(work, "faulty-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	public int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * Requests still arrive, replies no longer do. They wait for {@link #thawReplies()},
	 * or get lost with their connection.
	 */
	public void freezeReplies() {
		this.replies.shut();
	}

	public void thawReplies() {
		this.replies.open();
	}

	/**
	 * Nothing arrives any more in either direction, and no connection breaks.
	 */
	public void freeze() {
		this.requests.shut();
		this.replies.shut();
	}

	/**
	 * Lets everything through that was held back.
	 */
	public void thaw() {
		this.requests.open();
		this.replies.open();
	}

	/**
	 * Loses the next reply of any connection, and that connection with it.
	 */
	public void dropNextReply() {
		this.dropping.set(true);
	}

	/**
	 * Breaks every connection, with whatever was under way. New ones are possible at
	 * once.
	 */
	public void breakConnections() {
		this.sockets.forEach(this::end);
	}

	/**
	 * Breaks every connection, as a load balancer does that has forgotten it, or a server
	 * that ends before it has read all: not by an end, but by a reset.
	 */
	public void resetConnections() {
		this.sockets.forEach((socket) -> {
			try {
				socket.setSoLinger(true, 0);
			}
			catch (IOException ex) {
				// Closed meanwhile.
			}
			end(socket);
		});
	}

	/**
	 * Breaks every connection, and every new one as soon as it is made, until
	 * {@link #heal()}.
	 */
	public void partition() {
		this.partitioned = true;
		breakConnections();
	}

	public void heal() {
		this.partitioned = false;
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				connect(this.listener.accept());
			}
			catch (IOException ex) {
				// Closed: the loop ends.
			}
		}
	}

	private void connect(Socket client) {
		this.sockets.add(client);
		try {
			Socket server = new Socket(this.targetHost, this.targetPort);
			this.sockets.add(server);
			if (client.isClosed() || isCut()) {
				end(client);
				end(server);
				return;
			}
			run(() -> pump(client, server, this::passRequest));
			run(() -> pump(server, client, this::passReply));
		}
		catch (IOException ex) {
			// The server is down, and its client notices.
			end(client);
		}
	}

	/** Asked after the socket was registered, so that none escapes. */
	private boolean isCut() {
		return this.partitioned || this.listener.isClosed();
	}

	private boolean passRequest() {
		this.requests.pass();
		return true;
	}

	private boolean passReply() {
		this.replies.pass();
		return !this.dropping.compareAndSet(true, false);
	}

	private void pump(Socket from, Socket to, Direction direction) {
		byte[] buffer = new byte[8192];
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			int count;
			while ((count = in.read(buffer)) > 0 && direction.pass()) {
				out.write(buffer, 0, count);
				out.flush();
			}
		}
		catch (IOException ex) {
			// The connection is over, for both sides.
		}
		finally {
			end(from);
			end(to);
		}
	}

	private void end(Socket socket) {
		this.sockets.remove(socket);
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		breakConnections();
		thaw();
	}

	private interface Direction {

		/** Waits while the network is frozen; whether what was read arrives at all. */
		boolean pass();

	}

	/**
	 * What is underway waits in front of it while it is shut.
	 */
	private static final class Gate {

		private boolean shut;

		synchronized void shut() {
			this.shut = true;
		}

		synchronized void open() {
			this.shut = false;
			notifyAll();
		}

		synchronized void pass() {
			boolean interrupted = false;
			while (this.shut) {
				try {
					wait();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
