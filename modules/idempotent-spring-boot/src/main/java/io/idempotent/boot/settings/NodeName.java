package io.idempotent.boot.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The name of this node in records and in the owners of locks, for operators only. Needs
 * neither idempotency nor locks on the class path.
 */
public final class NodeName {

	private static final int MAX_LENGTH = 64;

	private static final int MAX_HOST = 38;

	private static final Pattern VALID = Pattern.compile("[!-~]{1," + MAX_LENGTH + "}");

	private NodeName() {
	}

	/**
	 * Returns {@code idempotent.node}, or by default the name of the application, the
	 * host and the process id, as {@code shop@host-1:4711}: at most 64 printable ASCII
	 * characters.
	 * @throws InvalidConfigurationException if the property is not a valid name
	 */
	public static String in(Environment environment) {
		String name = Binder.get(environment).bind("idempotent.node", String.class).orElse("");
		if (StringUtils.hasText(name)) {
			if (!VALID.matcher(name).matches()) {
				throw new InvalidConfigurationException("idempotent.node", name, "no node can have that name",
						"Give 1 to " + MAX_LENGTH + " printable ASCII characters without spaces");
			}
			return name;
		}
		String process = ":" + ProcessHandle.current().pid();
		String host = shortened(printable(host(environment)), MAX_HOST);
		String application = printable(environment.getProperty("spring.application.name", ""));
		int left = MAX_LENGTH - host.length() - process.length() - 1;
		return (application.isEmpty() ? "" : shortened(application, left) + "@") + host + process;
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
