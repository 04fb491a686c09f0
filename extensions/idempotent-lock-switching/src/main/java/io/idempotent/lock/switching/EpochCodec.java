package io.idempotent.lock.switching;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.switching.EpochDocument.Member;
import io.idempotent.lock.switching.EpochDocument.PendingSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Writes a document as a text of properties, which an operator can read, and reads it.
 */
final class EpochCodec {

	private static final String MEMBER = "member.";

	private EpochCodec() {
	}

	static String encode(EpochDocument document) {
		Properties properties = new Properties();
		properties.setProperty("epoch", Long.toString(document.epoch()));
		properties.setProperty("engine", document.engine());
		PendingSwitch pending = document.pending();
		if (pending != null) {
			properties.setProperty("switch.id", Long.toString(pending.id()));
			properties.setProperty("switch.target", pending.target());
			properties.setProperty("switch.settling", Boolean.toString(pending.settling()));
			properties.setProperty("switch.reason", pending.reason());
		}
		document.members().values().forEach((member) -> encode(member, properties));
		return text(properties);
	}

	/**
	 * The lease is rounded up, so that other nodes do not take it for ended too early.
	 */
	private static void encode(Member member, Properties properties) {
		String prefix = MEMBER + member.id() + ".";
		properties.setProperty(prefix + "description", member.description());
		properties.setProperty(prefix + "beat", Long.toString(member.beat()));
		properties.setProperty(prefix + "lease", Long.toString(member.lease().plusNanos(999_999).toMillis()));
		properties.setProperty(prefix + "holds", Integer.toString(member.holds()));
		properties.setProperty(prefix + "confirmed", Long.toString(member.confirmed()));
		properties.setProperty(prefix + "engines", String.join(",", member.engines()));
		properties.setProperty(prefix + "failing", String.join(",", new TreeSet<>(member.failing())));
		properties.setProperty(prefix + "recovered", String.join(",", new TreeSet<>(member.recovered())));
	}

	/** Without the comment that Properties writes, which contains the date. */
	private static String text(Properties properties) {
		StringWriter writer = new StringWriter();
		try {
			properties.store(writer, null);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Writing to memory failed", ex);
		}
		return writer.toString()
			.lines()
			.filter((line) -> !line.startsWith("#"))
			.sorted()
			.collect(Collectors.joining("\n"));
	}

	static EpochDocument decode(String text) {
		Properties properties = new Properties();
		try {
			properties.load(new StringReader(text));
			return new EpochDocument(Long.parseLong(require(properties, "epoch")), require(properties, "engine"),
					pending(properties), members(properties));
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new LockUnavailableException("The entry that names the lock engine in force cannot be read ("
					+ ex.getMessage() + "): another program has written it, or a newer version of this library. "
					+ "Delete it while no node holds a lock", ex);
		}
	}

	private static @Nullable PendingSwitch pending(Properties properties) {
		if (properties.getProperty("switch.id") == null) {
			return null;
		}
		return new PendingSwitch(Long.parseLong(require(properties, "switch.id")), require(properties, "switch.target"),
				Boolean.parseBoolean(require(properties, "switch.settling")), require(properties, "switch.reason"));
	}

	private static Map<String, Member> members(Properties properties) {
		Map<String, Member> members = new TreeMap<>();
		for (String name : properties.stringPropertyNames()) {
			if (name.startsWith(MEMBER) && name.endsWith(".beat")) {
				String id = name.substring(MEMBER.length(), name.length() - ".beat".length());
				members.put(id, member(id, properties));
			}
		}
		return members;
	}

	private static Member member(String id, Properties properties) {
		String prefix = MEMBER + id + ".";
		return new Member(id, require(properties, prefix + "description"),
				Long.parseLong(require(properties, prefix + "beat")),
				Duration.ofMillis(Long.parseLong(require(properties, prefix + "lease"))),
				Integer.parseInt(require(properties, prefix + "holds")),
				Long.parseLong(require(properties, prefix + "confirmed")), names(properties, prefix + "engines"),
				Set.copyOf(names(properties, prefix + "failing")), Set.copyOf(names(properties, prefix + "recovered")));
	}

	private static List<String> names(Properties properties, String key) {
		return Arrays.stream(require(properties, key).split(",")).filter((name) -> !name.isEmpty()).toList();
	}

	private static String require(Properties properties, String key) {
		String value = properties.getProperty(key);
		if (value == null) {
			throw new IllegalArgumentException("'" + key + "' is missing");
		}
		return value;
	}

}
