package io.idempotent.aot;

import java.io.IOException;

/**
 * Runs the {@code main} method of a class in a process that does not outlive the test
 * that started it.
 */
final class Launcher {

	private Launcher() {
	}

	public static void main(String[] arguments) throws Exception {
		Thread watch = new Thread(Launcher::endWithTest, "end-with-test");
		watch.setDaemon(true);
		watch.start();
		String[] rest = new String[arguments.length - 1];
		System.arraycopy(arguments, 1, rest, 0, rest.length);
		Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
	}

	private static void endWithTest() {
		try {
			while (System.in.read() >= 0) {
				// Nothing is sent, the end of the stream is awaited.
			}
		}
		catch (IOException ex) {
			// As at the end.
		}
		Runtime.getRuntime().halt(1);
	}

}
