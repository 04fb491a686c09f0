package io.idempotent.embedded;

/**
 * A Redis server of our own: a process on this machine, reachable from this machine only,
 * that saves nothing.
 *
 * <p>
 * The server never outlives the JVM, however the JVM ends, {@code kill -9} included; its
 * temporary directory goes with it. Where the platform has {@code setsid} (every Linux),
 * a Ctrl-C reaches the JVM only, so that an orderly shutdown still has its Redis.
 *
 * <p>
 * Safe for use by several threads; {@link #stop()} and {@link #restart()} exclude each
 * other.
 */
public final class EmbeddedRedis implements AutoCloseable {

	private static final int ATTEMPTS = 5;

	private final int port;

	private final Role role;

	private RedisProcess process;

	private boolean closed;

	private EmbeddedRedis(int port, Role role) {
		this.port = port;
		this.role = role;
		this.process = RedisProcess.start(port, role);
	}

	/**
	 * Whether a server for this operating system and processor is at hand.
	 * @return whether {@link #start(String...)} can work here
	 */
	public static boolean isSupported() {
		return RedisBinary.forThisMachine().isAvailable();
	}

	/**
	 * Starts a server on a free port and waits until it accepts connections.
	 * @param extraArguments arguments of {@code redis-server}, such as
	 * {@code "--maxmemory", "2mb"}; address, port and log stay ours
	 * @return the running server
	 * @throws UnsupportedOperationException if {@link #isSupported()} is false
	 * @throws IllegalStateException if the server does not start; the message holds its
	 * output
	 */
	public static EmbeddedRedis start(String... extraArguments) {
		return startSomewhere(Role.data(extraArguments));
	}

	/**
	 * Starts a Sentinel on a free port and waits until it accepts connections. It knows
	 * its masters by then, but has yet to meet them, their replicas and other Sentinels.
	 * What it learns is lost with {@link #stop()}, as data would be.
	 * @param configuration lines of its configuration, such as
	 * {@code "sentinel monitor orders 127.0.0.1 6379 1"}; address, port and log stay ours
	 * @return the running Sentinel
	 * @throws UnsupportedOperationException if {@link #isSupported()} is false
	 * @throws IllegalStateException if the Sentinel does not start; the message holds its
	 * output
	 */
	public static EmbeddedRedis startSentinel(String... configuration) {
		return startSomewhere(Role.sentinel(configuration));
	}

	private static EmbeddedRedis startSomewhere(Role role) {
		PortTakenException taken = null;
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try {
				return new EmbeddedRedis(Ports.findFree(), role);
			}
			catch (PortTakenException ex) {
				taken = ex;
			}
		}
		throw new IllegalStateException("No free port in " + ATTEMPTS + " attempts", taken);
	}

	/**
	 * Starts a server on a given port and waits until it accepts connections.
	 * @param port the port
	 * @param extraArguments as for {@link #start(String...)}
	 * @return the running server
	 * @throws UnsupportedOperationException if {@link #isSupported()} is false
	 * @throws IllegalStateException if the server does not start, because the port is
	 * taken for example; the message holds its output
	 */
	public static EmbeddedRedis startOnPort(int port, String... extraArguments) {
		return new EmbeddedRedis(port, Role.data(extraArguments));
	}

	/**
	 * The address to connect to.
	 * @return the loopback address
	 */
	public String host() {
		return Ports.LOOPBACK;
	}

	/**
	 * The port to connect to; it stays the same over {@link #restart()}.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Whether the server runs right now. A server that crashed does not.
	 * @return whether it runs
	 */
	public synchronized boolean isRunning() {
		return this.process.isAlive();
	}

	/**
	 * Kills the server ({@code kill -9}) and waits until its port is free. Everything in
	 * it is lost. Without effect on a server that does not run.
	 */
	public synchronized void stop() {
		this.process.kill();
	}

	/**
	 * Kills the server, if it runs, and starts an empty one on the same port.
	 * @throws IllegalStateException if this was closed, or the server does not start
	 */
	public synchronized void restart() {
		if (this.closed) {
			throw new IllegalStateException("This Redis was closed");
		}
		stop();
		this.process = RedisProcess.start(this.port, this.role);
	}

	/**
	 * Stops the server for good. May be called more than once.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		stop();
	}

}
