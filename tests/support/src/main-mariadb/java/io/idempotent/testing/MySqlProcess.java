package io.idempotent.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.idempotent.embedded.Ports;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.awaitility.Awaitility.await;

/**
 * A real MySQL or MariaDB that can be killed. It keeps what it acknowledged, and ends
 * with the JVM, however that ends. Starting one takes a few seconds: tests that kill none
 * share one.
 */
abstract class MySqlProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final int port = Ports.findFree();

	private final Path directory;

	private final ProcessGuard guard;

	private @Nullable Process server;

	MySqlProcess(Path directory) {
		this.directory = directory;
		this.guard = ProcessGuard.watch(directory, pidFile());
	}

	/** Gives this server the data of a new one. */
	final void copyData(Path installed) throws IOException, InterruptedException {
		// Not that of another server, each of which deletes the temporary tables that it
		// finds.
		Files.createDirectories(this.directory.resolve("tmp"));
		Installed.copy(installed.resolve("data"), data());
	}

	final Path directory() {
		return this.directory;
	}

	final Path data() {
		return this.directory.resolve("data");
	}

	final Path pidFile() {
		return this.directory.resolve("pid");
	}

	/** The installed server, on this port and with this directory. */
	abstract ProcessBuilder command();

	final void launch() throws IOException {
		Process started = command().redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("log").toFile())
			.start();
		this.server = started;
		// Itself it tells only when it is ready, which may be after this JVM.
		Files.writeString(pidFile(), started.pid() + "\n");
		await().atMost(PATIENCE).ignoreExceptionsInstanceOf(SQLException.class).until(() -> isReady(started));
	}

	private boolean isReady(Process started) throws IOException, SQLException {
		if (!started.isAlive()) {
			throw new IllegalStateException(
					"The server ended. It said:\n" + Files.readString(this.directory.resolve("log")));
		}
		try (Connection connection = dataSource().getConnection()) {
			return connection.isValid(1);
		}
	}

	/** Opens a connection for every call, as a pool would once. */
	public final DataSource dataSource() {
		return new DriverManagerDataSource(url());
	}

	public final int port() {
		return this.port;
	}

	/**
	 * Names the user, too; there is no password. Who waits for an answer cannot be
	 * interrupted, and gives up by itself.
	 */
	public abstract String url();

	/** On a server that nobody kills, so that no commit has to wait for a disk. */
	final String createDatabase() {
		String name = "test" + UUID.randomUUID().toString().replace("-", "");
		new JdbcTemplate(dataSource()).batchUpdate("set global innodb_flush_log_at_trx_commit = 2",
				"set global sync_binlog = 0", "create database " + name);
		return url().replace("/test?", "/" + name + "?");
	}

	/**
	 * Kills the server ({@code kill -9}).
	 */
	public final void kill() {
		Objects.requireNonNull(this.server).destroyForcibly().onExit().orTimeout(1, TimeUnit.MINUTES).join();
	}

	/**
	 * Starts a killed server again, on the same data and the same port, and waits until
	 * it has recovered.
	 */
	public final void restart() {
		Unchecked.run(this::launch);
	}

	@Override
	public final void close() {
		this.guard.close();
	}

}
