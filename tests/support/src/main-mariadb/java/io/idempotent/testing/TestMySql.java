package io.idempotent.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A MySQL 8.0.15, the newest that there is as an artifact of Maven, for Linux on x86-64.
 */
public final class TestMySql extends MySqlProcess {

	private static final String ARCHIVE = "mysql-Linux-amd64.tar.gz";

	private final Path installed;

	private TestMySql(Path directory) throws Exception {
		super(directory);
		this.installed = Installed.once("mysql", TestMySql::install);
		copyData(this.installed);
		launch();
	}

	/** Whether it runs on this machine. */
	public static boolean isAvailable() throws IOException, InterruptedException {
		return System.getProperty("os.name").equals("Linux") && System.getProperty("os.arch").equals("amd64")
				&& new ProcessBuilder("sh", "-c", "PATH=$PATH:/sbin ldconfig -p | grep -qF 'libaio.so.1 '").start()
					.waitFor() == 0;
	}

	public static TestMySql start() {
		return Unchecked.call(() -> new TestMySql(Files.createTempDirectory("test-mysql-")));
	}

	/** A new database on the server that the tests of this JVM share. */
	public static String newDatabase() {
		return Shared.SERVER.createDatabase();
	}

	private static void install(Path directory) throws IOException, InterruptedException {
		Path archive = directory.resolve(ARCHIVE);
		try (InputStream in = TestMySql.class.getClassLoader().getResourceAsStream(ARCHIVE)) {
			Files.copy(in, archive);
		}
		Installed.run(List.of("tar", "-xzf", archive.toString(), "-C", directory.toString()));
		Files.createDirectory(directory.resolve("tmp"));
		Installed.run(mysqld(directory, directory, "--initialize-insecure"));
	}

	private static List<String> mysqld(Path installed, Path directory, String... arguments) {
		List<String> command = new ArrayList<>(List.of(installed.resolve("bin/mysqld").toString(), "--no-defaults",
				"--user=" + System.getProperty("user.name"), "--basedir=" + installed,
				"--lc-messages-dir=" + installed.resolve("share"), "--datadir=" + directory.resolve("data"),
				"--tmpdir=" + directory.resolve("tmp")));
		command.addAll(List.of(arguments));
		return command;
	}

	@Override
	ProcessBuilder command() {
		return new ProcessBuilder(mysqld(this.installed, directory(), "--bind-address=127.0.0.1", "--port=" + port(),
				"--socket=" + directory().resolve("socket"), "--pid-file=" + pidFile(), "--mysqlx=OFF", "--skip-ssl",
				"--innodb-buffer-pool-size=32M"));
	}

	@Override
	public String url() {
		return "jdbc:mysql://127.0.0.1:" + port()
				+ "/test?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&createDatabaseIfNotExist=true"
				+ "&socketTimeout=120000";
	}

	private static final class Shared {

		private static final TestMySql SERVER = start();

	}

}
