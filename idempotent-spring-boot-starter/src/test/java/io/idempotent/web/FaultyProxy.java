package io.idempotent.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

import io.idempotent.embedded.EmbeddedRedis;

/**
 * A network between client and Redis that can be made to fail.
 */
final class FaultyProxy implements AutoCloseable {

	private final ServerSocket listener;

	private final EmbeddedRedis redis;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	/** Held by whoever passes a reply on; taken away, replies stop where they are. */
	private final Semaphore replies = new Semaphore(1);

	FaultyProxy(EmbeddedRedis redis) {
		this.redis = redis;
		try {
			this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * Requests still arrive, replies no longer do.
	 */
	void freezeReplies() {
		this.replies.acquireUninterruptibly();
	}

	void thawReplies() {
		this.replies.release();
	}

	/**
	 * Breaks every connection, with whatever was under way.
	 */
	void breakConnections() {
		this.sockets.forEach(FaultyProxy::close);
		this.sockets.clear();
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
			Socket server = new Socket(this.redis.host(), this.redis.port());
			this.sockets.add(server);
			this.threads.execute(() -> pump(client, server, false));
			this.threads.execute(() -> pump(server, client, true));
		}
		catch (IOException ex) {
			// Redis is down, and its client notices.
			close(client);
		}
	}

	private void pump(Socket from, Socket to, boolean isReply) {
		byte[] buffer = new byte[8192];
		try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			int count;
			while ((count = in.read(buffer)) > 0) {
				if (isReply) {
					this.replies.acquireUninterruptibly();
					this.replies.release();
				}
				out.write(buffer, 0, count);
				out.flush();
			}
		}
		catch (IOException ex) {
			// The connection is over, for both sides.
		}
	}

	private static void close(Socket socket) {
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
		this.threads.shutdownNow();
	}

}
