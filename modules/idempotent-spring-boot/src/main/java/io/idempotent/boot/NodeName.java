package io.idempotent.boot;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The name of this node: by it operators find the holder of a lock, or the owner of a
 * record. Nothing is decided by it.
 */
public final class NodeName {

	private static final int MAX_LENGTH = 64;

	private NodeName() {
	}

	/**
	 * Reads the name.
	 * @param environment the environment with the properties
	 * @return {@code idempotent.node}, or else the name of the application, the host and
	 * the process id, as {@code shop@host-1:4711}: at most 64 printable ASCII characters
	 */
	public static String in(Environment environment) {
		String name = Binder.get(environment).bind("idempotent.node", String.class).orElse("");
		return plain(StringUtils.hasText(name) ? name : defaultName(environment));
	}

	private static String defaultName(Environment environment) {
		String process = host(environment) + ":" + ProcessHandle.current().pid();
		String application = environment.getProperty("spring.application.name", "");
		String name = StringUtils.hasText(application) ? application + "@" + process : process;
		return (name.length() <= MAX_LENGTH) ? name : process;
	}

	private static String host(Environment environment) {
		String host = environment.getProperty("HOSTNAME", "");
		if (StringUtils.hasText(host)) {
			return host;
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "localhost";
		}
	}

	/**
	 * Keeps the end of a name that is too long, which tells processes apart.
	 */
	private static String plain(String name) {
		String plain = name.strip().replaceAll("[^!-~]", "-");
		return plain.substring(Math.max(0, plain.length() - MAX_LENGTH));
	}

}
