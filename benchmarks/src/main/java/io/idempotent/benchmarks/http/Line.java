package io.idempotent.benchmarks.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;

/**
 * What is requested.
 */
enum Line {

	INSERT_ALONE("insert, 1 connection", "/insert", Requests.ORDER, 1, Pace.NEW_KEYS),

	INSERT("insert, 16 connections", "/insert", Requests.ORDER, 16, Pace.NEW_KEYS),

	INSERT_OF_MANY("insert, 64 connections", "/insert", Requests.ORDER, 64, Pace.NEW_KEYS),

	INSERT_AT_A_RATE("insert, " + Requests.PER_SECOND + " a second", "/insert", Requests.ORDER, 16,
			Pace.NEW_KEYS_AT_A_RATE),

	EMPTY("empty handler, 16 connections", "/order-by-key", Requests.ORDER, 16, Pace.NEW_KEYS),

	LARGE("16 kB each way, 16 connections", "/order-by-key", Requests.DOCUMENT, 16, Pace.NEW_KEYS),

	REPLAY("replay of known keys, 16 connections", "/insert", Requests.ORDER, 16, Pace.KNOWN_KEYS);

	private final String title;

	private final String path;

	private final String body;

	private final int connections;

	private final Pace pace;

	Line(String title, String path, String body, int connections, Pace pace) {
		this.title = title;
		this.path = path;
		this.body = body;
		this.connections = connections;
		this.pace = pace;
	}

	String title() {
		return this.title;
	}

	boolean isAtARate() {
		return this.pace == Pace.NEW_KEYS_AT_A_RATE;
	}

	Map<Protection, Figures> run(Effort effort, Map<Protection, ProtectedChild> shops) throws Exception {
		return run(effort, shops, ProtectedChild::meters);
	}

	Map<Protection, Figures> run(Effort effort, Map<Protection, ProtectedChild> shops,
			Function<ProtectedChild, List<Contender.Meter>> meters) throws Exception {
		int threads = effort.either(this.connections, 2);
		Map<Protection, Contender> contenders = new EnumMap<>(Protection.class);
		List<Load> loads = new ArrayList<>();
		for (Map.Entry<Protection, ProtectedChild> shop : shops.entrySet()) {
			Load load = new Load(shop.getValue().shop(), threads);
			loads.add(load);
			if (this.pace != Pace.KNOWN_KEYS || shop.getKey() != Protection.NONE) {
				contenders.put(shop.getKey(), contender(shop.getKey(), load).with(meters.apply(shop.getValue())));
			}
		}
		Map<Protection, Figures> figures = new Contest(effort, threads).run(contenders);
		for (Load load : loads) {
			load.close();
		}
		return figures;
	}

	private Contender contender(Protection protection, Load load) throws Exception {
		String label = protection.label();
		return switch (this.pace) {
			case NEW_KEYS -> load.firstByKey(label, this.path, this.body);
			case NEW_KEYS_AT_A_RATE -> load.firstByKey(label, this.path, this.body, Requests.PER_SECOND);
			case KNOWN_KEYS -> load.duplicateByKey(label, this.path, this.body);
		};
	}

	/**
	 * When requests are sent, and under which keys.
	 */
	private enum Pace {

		NEW_KEYS, NEW_KEYS_AT_A_RATE, KNOWN_KEYS

	}

}
