package io.idempotent.boot.internal.json;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.util.ClassUtils;

/**
 * Trees whose {@code toString()} is their JSON. By their getters, different trees would
 * be written as the same JSON.
 */
public final class JsonTrees {

	public static final List<String> NAMES = List.of("com.fasterxml.jackson.databind.JsonNode",
			"tools.jackson.databind.JsonNode", "org.json.JSONObject", "org.json.JSONArray",
			"com.google.gson.JsonElement", "jakarta.json.JsonValue");

	private JsonTrees() {
	}

	/** Those on the class path, but not the one that the mapper itself can write. */
	public static Stream<Class<?>> foreignTo(Class<?> own) {
		ClassLoader loader = JsonTrees.class.getClassLoader();
		return NAMES.stream()
			.filter((name) -> !name.equals(own.getName()) && ClassUtils.isPresent(name, loader))
			.map((name) -> ClassUtils.resolveClassName(name, loader));
	}

}
