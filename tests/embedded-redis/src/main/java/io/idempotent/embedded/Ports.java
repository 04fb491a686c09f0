package io.idempotent.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds free ports of the loopback address, for servers that restart where they were.
 */
public final class Ports {

	static final String LOOPBACK = "127.0.0.1";

	private static final byte[] ADDRESS = { 127, 0, 0, 1 };

	// Below the range from which systems take the ports of outgoing connections: one of
	// those could otherwise occupy the port while its server restarts.
	private static final int FIRST = 10_000;

	/** How many ports a JVM has for itself, unless very many run. */
	private static final int SHARE = 100;

	private static final int SHARES = 200;

	private static final AtomicInteger next = new AtomicInteger(ThreadLocalRandom.current().nextInt(SHARE));

	private Ports() {
	}

	/**
	 * A port that nobody listens on right now, outside the range from which the ports of
	 * outgoing connections are taken. Nothing reserves it; but other JVMs take other
	 * ports, and this one takes all of its ports before it takes one again, so that a
	 * server can restart where it was.
	 * @return the port
	 */
	public static int findFree() {
		int first = FIRST + (int) (ProcessHandle.current().pid() % SHARES) * SHARE;
		for (int attempt = 0; attempt < SHARE; attempt++) {
			int port = first + Math.floorMod(next.getAndIncrement(), SHARE);
			if (isFree(port)) {
				return port;
			}
		}
		throw new IllegalStateException("No free port between " + first + " and " + (first + SHARE));
	}

	static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByAddress(ADDRESS))) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
