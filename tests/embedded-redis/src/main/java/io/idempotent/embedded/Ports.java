package io.idempotent.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports of the loopback address, for servers that restart where they were.
 */
public final class Ports {

	static final String LOOPBACK = "127.0.0.1";

	private static final byte[] ADDRESS = { 127, 0, 0, 1 };

	// Below the range from which systems take the ports of outgoing connections: one of
	// those could otherwise occupy the port while its server restarts.
	private static final int FIRST = 10_000;

	private static final int LAST = 30_000;

	private static final int ATTEMPTS = 100;

	private Ports() {
	}

	/**
	 * A port that nobody listens on right now, outside the range from which the ports of
	 * outgoing connections are taken. Nothing reserves it.
	 * @return the port
	 */
	public static int findFree() {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
			if (isFree(port)) {
				return port;
			}
		}
		throw new IllegalStateException("No free port between " + FIRST + " and " + LAST);
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
