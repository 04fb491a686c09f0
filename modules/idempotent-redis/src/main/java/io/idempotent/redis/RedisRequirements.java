package io.idempotent.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a Redis server must provide: a version, and commands. One script checks them and
 * changes nothing. What the Redis user may not check counts as met.
 *
 * @param user what needs the server, for messages
 */
record RedisRequirements(String user, List<String> commands) {

	/** Replies {@code INFO server}, or an empty text, and then the missing commands. */
	private static final String SCRIPT = """
			local info = redis.pcall('info', 'server')
			local known = redis.pcall('command', 'info', unpack(ARGV))
			local reply = { type(info) == 'string' and info or '' }
			if type(known) == 'table' and not known.err then
				for i, name in ipairs(ARGV) do
					if not known[i] then
						reply[#reply + 1] = name
					end
				end
			end
			return reply
			""";

	private static final Log logger = LogFactory.getLog(RedisRequirements.class);

	/** The oldest version with ACLs, and the oldest tested version. */
	private static final int OLDEST_MAJOR_VERSION = 6;

	private static final Pattern REDIS_VERSION = Pattern.compile("(?m)^redis_version:((\\d+)\\S*)");

	/** Other servers add their own version to the one they are compatible with. */
	private static final Pattern OTHER_VERSION = Pattern.compile("(?m)^(?!redis_|gcc_)([a-z]+)_version:(\\S+)");

	/**
	 * The unmet requirements, by a function that runs a script without keys, with
	 * arguments. A server that does not answer counts as one that meets all.
	 */
	List<String> check(BiFunction<String, List<String>, @Nullable List<String>> server) {
		try {
			List<String> reply = server.apply(SCRIPT, this.commands);
			return (reply != null) ? unmet(reply) : List.of();
		}
		catch (RuntimeException ex) {
			logger.debug("Redis did not report its version and commands", ex);
			return List.of();
		}
	}

	List<String> unmet(List<String> reply) {
		String info = reply.get(0);
		List<String> messages = new ArrayList<>();
		Matcher version = REDIS_VERSION.matcher(info);
		if (version.find() && Integer.parseInt(version.group(2)) < OLDEST_MAJOR_VERSION) {
			messages.add(server(info) + " is older than version " + OLDEST_MAJOR_VERSION + ", the oldest on which "
					+ this.user + " is tested: use a newer server");
		}
		List<String> missing = reply.subList(1, reply.size());
		if (!missing.isEmpty()) {
			messages.add(server(info) + " does not have " + String.join(", ", missing).toUpperCase(Locale.ROOT)
					+ ", which " + this.user + " needs: what uses a missing command fails. Do not disable or rename"
					+ " commands (rename-command), or use a server that has them");
		}
		return List.copyOf(messages);
	}

	private static String server(String info) {
		Matcher other = OTHER_VERSION.matcher(info);
		if (other.find()) {
			return "The server (" + other.group(1) + " " + other.group(2) + ")";
		}
		Matcher version = REDIS_VERSION.matcher(info);
		return version.find() ? "The server (Redis " + version.group(1) + ")" : "The Redis server";
	}

}
