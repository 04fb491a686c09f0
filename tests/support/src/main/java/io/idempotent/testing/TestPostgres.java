package io.idempotent.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.embedded.Ports;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A real PostgreSQL that can be killed. It keeps what it acknowledged, and ends with the
 * JVM, however that ends. Starting one takes a few seconds: tests that kill none share
 * one.
 */
public final class TestPostgres implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final int TRIES = 3;

	private static final String LOCK_FILE = "epg-lock";

	/** Who waits for an answer cannot be interrupted, and gives up by itself. */
	private static final String TIMEOUT_SECONDS = "120";

	private final Path directory;

	private final ProcessGuard guard;

	private final int port = Ports.findFree();

	private EmbeddedPostgres server;

	private TestPostgres(Path directory) throws Exception {
		this.directory = directory;
		this.guard = ProcessGuard.watch(directory, pidFile());
		Installed.copy(Installed.once("postgres-data", TestPostgres::initialize).resolve("data"), data());
		this.server = launch();
	}

	/** The data of a new server: {@code initdb} takes longer than all else. */
	private static void initialize(Path directory) throws IOException {
		Path data = directory.resolve("data");
		EmbeddedPostgres.builder()
			.setDataDirectory(data)
			.setCleanDataDirectory(false)
			.setPGStartupWait(PATIENCE)
			.start()
			.close();
		Files.deleteIfExists(data.resolve(LOCK_FILE));
	}

	public static TestPostgres start() {
		return Unchecked.call(() -> new TestPostgres(Files.createTempDirectory("test-postgres-")));
	}

	/** A new database on the server that the tests of this JVM share. */
	public static String newDatabase() {
		String name = "test" + UUID.randomUUID().toString().replace("-", "");
		new JdbcTemplate(Shared.SERVER.dataSource()).execute("create database " + name);
		return Shared.SERVER.url().replace("/postgres?", "/" + name + "?");
	}

	private Path data() {
		return this.directory.resolve("data");
	}

	private Path lockFile() {
		return data().resolve(LOCK_FILE);
	}

	private Path pidFile() {
		return data().resolve("postmaster.pid");
	}

	/**
	 * Tries again: a server gives up at once while a worker of its killed predecessor is
	 * still on its way out, and says so to nobody.
	 */
	private EmbeddedPostgres launch() throws IOException {
		for (int i = 1; i < TRIES; i++) {
			try {
				return launchOnce();
			}
			catch (IOException ex) {
				Files.deleteIfExists(lockFile());
			}
		}
		return launchOnce();
	}

	private EmbeddedPostgres launchOnce() throws IOException {
		return EmbeddedPostgres.builder()
			.setDataDirectory(data())
			.setCleanDataDirectory(false)
			.setRegisterShutdownHook(false)
			.setPort(this.port)
			.setPGStartupWait(PATIENCE)
			// Off by default here: a kill would lose commits that were acknowledged.
			.setServerConfig("synchronous_commit", "on")
			// Nothing outside of the directory.
			.setServerConfig("unix_socket_directories", "")
			.setServerConfig("dynamic_shared_memory_type", "mmap")
			.start();
	}

	/** Opens a connection for every call, as a pool would once. */
	public DataSource dataSource() {
		return this.server.getPostgresDatabase(Map.of("socketTimeout", TIMEOUT_SECONDS));
	}

	public int port() {
		return this.port;
	}

	/** Names the user, too; there is no password. */
	public String url() {
		return "jdbc:postgresql://127.0.0.1:" + this.port + "/postgres?user=postgres&socketTimeout=" + TIMEOUT_SECONDS;
	}

	/**
	 * Kills the server and everybody who works for it ({@code kill -9}).
	 */
	public void kill() {
		Unchecked.run(() -> {
			ProcessHandle postmaster = postmaster();
			stop(postmaster);
			List<ProcessHandle> all = Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
			all.forEach(ProcessHandle::destroyForcibly);
			CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
				.completeOnTimeout(null, 5, TimeUnit.SECONDS)
				.join();
			if (postmaster.isAlive()) {
				// A zombie, where PID 1 does not reap; its successor would shy away.
				Files.delete(pidFile());
			}
			// The lock of a server that was never told to stop; it lives in this JVM.
			Files.delete(lockFile());
		});
	}

	/**
	 * Lets a process start no further one, which would survive it.
	 */
	private static void stop(ProcessHandle process) throws IOException, InterruptedException {
		new ProcessBuilder("sh", "-c", "kill -STOP " + process.pid()).start().waitFor();
	}

	private ProcessHandle postmaster() throws IOException {
		long pid = Long.parseLong(Files.readAllLines(pidFile()).get(0));
		return ProcessHandle.of(pid).orElseThrow();
	}

	/**
	 * Starts a killed server again, on the same data and the same port, and waits until
	 * it has recovered.
	 */
	public void restart() {
		Unchecked.run(() -> this.server = launch());
	}

	@Override
	public void close() {
		this.guard.close();
	}

	/** Nobody kills it, so that no commit has to wait for a disk. */
	private static final class Shared {

		private static final TestPostgres SERVER = start();

		static {
			JdbcTemplate sql = new JdbcTemplate(SERVER.dataSource());
			sql.execute("alter system set synchronous_commit = off");
			sql.execute("select pg_reload_conf()");
		}

	}

}
