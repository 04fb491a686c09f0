package io.idempotent.versions;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.testing.JavaProcess;

/** An {@link OrderApplication} in a process of its own. */
record Node(JavaProcess process, Shop shop) implements AutoCloseable {

	static Node start(String classPath, List<String> arguments) {
		ProcessBuilder command = JavaProcess.command(OrderApplication.class, arguments);
		List<String> words = new ArrayList<>(command.command());
		words.set(words.indexOf("-cp") + 1, classPath);
		words.remove("-XX:-BytecodeVerificationRemote");
		JavaProcess process = JavaProcess.start(command.command(words));
		return new Node(process, Shop.at(process.await("Tomcat started on port (\\d+)")));
	}

	@Override
	public void close() {
		this.process.close();
	}

}
