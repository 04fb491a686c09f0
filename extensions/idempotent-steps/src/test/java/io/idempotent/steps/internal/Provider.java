package io.idempotent.steps.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Another system.
 */
final class Provider {

	private final Map<String, List<String>> effects = new LinkedHashMap<>();

	private final List<String> calls = new ArrayList<>();

	/** Recognizes repeated calls by their key. */
	synchronized String call(String key, String what) {
		this.calls.add(key);
		List<String> before = effects(key);
		return before.isEmpty() ? add(key, what) : before.get(0);
	}

	/** Takes effect each time. */
	synchronized String callWithoutKey(String key, String what) {
		this.calls.add(key);
		return add(key, what);
	}

	private String add(String key, String what) {
		String effect = what + " " + (this.effects.size() + 1);
		this.effects.computeIfAbsent(key, (unused) -> new ArrayList<>()).add(effect);
		return effect;
	}

	synchronized List<String> effects(String key) {
		return this.effects.getOrDefault(key, List.of());
	}

	synchronized int effects() {
		return this.effects.values().stream().mapToInt(List::size).sum();
	}

	/** The keys of all calls, in order. */
	synchronized List<String> calls() {
		return List.copyOf(this.calls);
	}

}
