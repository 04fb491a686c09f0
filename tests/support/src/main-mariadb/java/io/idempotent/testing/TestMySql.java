package io.idempotent.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A MySQL 8.0.15, the newest that there is as an artifact of Maven, for Linux on x86-64.
 */
public final class TestMySql extends MySqlProcess {

	private static final String ARCHIVE = "mysql-Linux-amd64.tar.gz";

	private TestMySql(Path directory) throws IOException, InterruptedException {
		super(directory);
		install();
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

	private void install() throws IOException, InterruptedException {
		Path archive = directory().resolve(ARCHIVE);
		try (InputStream in = TestMySql.class.getClassLoader().getResourceAsStream(ARCHIVE)) {
			Files.copy(in, archive);
		}
		run(List.of("tar", "-xzf", archive.toString(), "-C", directory().toString()));
		// Not that of other servers: each deletes the temporary tables that it finds.
		Files.createDirectories(directory().resolve("tmp"));
		run(mysqld("--initialize-insecure"));
	}

	private void run(List<String> command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException(String.join(" ", command) + " failed: " + output);
		}
	}

	private List<String> mysqld(String... arguments) {
		List<String> command = new ArrayList<>(List.of(directory().resolve("bin/mysqld").toString(), "--no-defaults",
				"--user=" + System.getProperty("user.name"), "--basedir=" + directory(),
				"--lc-messages-dir=" + directory().resolve("share"), "--datadir=" + directory().resolve("data"),
				"--tmpdir=" + directory().resolve("tmp")));
		command.addAll(List.of(arguments));
		return command;
	}

	@Override
	ProcessBuilder command() {
		return new ProcessBuilder(
				mysqld("--bind-address=127.0.0.1", "--port=" + port(), "--socket=" + directory().resolve("socket"),
						"--pid-file=" + pidFile(), "--mysqlx=OFF", "--skip-ssl", "--innodb-buffer-pool-size=32M"));
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
