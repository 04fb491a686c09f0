package io.idempotent.testing;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Ends a daemon and removes its directory when this is closed or the JVM ends, however it
 * does.
 */
final class ProcessGuard implements AutoCloseable {

	/**
	 * A pid file's first line is the daemon. Its workers end with it if it has the time
	 * to tell them; "-9" would leave them behind.
	 */
	private static final String WATCH = """
			trap '' HUP INT TERM
			read -r nothing
			pid=$(head -n 1 "$2" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null && {
				tries=0
				while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do
					tries=$((tries + 1))
					sleep 0.1
				done
				kill -9 "$pid" 2>/dev/null
			}
			rm -rf "$1"
			""";

	private static final String LAUNCH = "command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

	private final Process watch;

	private ProcessGuard(Process watch) {
		this.watch = watch;
	}

	/**
	 * Starts to watch.
	 * @param directory what to remove
	 * @param pidFile where the daemon's process is told, once it runs
	 * @return the guard
	 */
	static ProcessGuard watch(Path directory, Path pidFile) {
		ProcessBuilder command = new ProcessBuilder("/bin/sh", "-c", LAUNCH, "launch", "/bin/sh", "-c", WATCH, "watch",
				directory.toString(), pidFile.toString());
		command.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
		return new ProcessGuard(Unchecked.call(command::start));
	}

	@Override
	public void close() {
		Unchecked.run(this.watch.getOutputStream()::close);
		this.watch.onExit().orTimeout(1, TimeUnit.MINUTES).join();
	}

}
