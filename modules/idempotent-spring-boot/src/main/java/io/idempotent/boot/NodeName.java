package io.idempotent.boot;

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.idempotent.store.Origin;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The name of this node, in records and for operators.
 */
public final class NodeName {

	private static final int MAX_HOST = 38;

	private NodeName() {
	}

	/**
	 * Reads the name of this node.
	 * @param environment the environment with the properties
	 * @return {@code idempotent.node}, or else the name of the application, the host and
	 * the process id
	 */
	public static String in(Environment environment) {
		String name = Binder.get(environment).bind("idempotent.node", String.class).orElse("");
		if (StringUtils.hasText(name)) {
			return checked(name);
		}
		String process = ":" + ProcessHandle.current().pid();
		String host = shortened(printable(host(environment)), MAX_HOST);
		String application = printable(environment.getProperty("spring.application.name", ""));
		int left = Origin.MAX_NODE_LENGTH - host.length() - process.length() - 1;
		return (application.isEmpty() ? "" : shortened(application, left) + "@") + host + process;
	}

	private static String checked(String name) {
		try {
			return Origin.requireNode(name);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationException("idempotent.node", name, "no node can have that name",
					String.valueOf(ex.getMessage()));
		}
	}

	private static String host(Environment environment) {
		String host = environment.getProperty("HOSTNAME", "");
		try {
			return StringUtils.hasText(host) ? host : InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "localhost";
		}
	}

	private static String printable(String text) {
		return text.replaceAll("[^!-~]", "_");
	}

	private static String shortened(String text, int length) {
		return text.substring(0, Math.min(text.length(), length));
	}

}
