package io.idempotent.webmvc;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import io.idempotent.webmvc.JsonTexts.Text;

/**
 * What somebody wants, apart from how it is spelled. Each {@link #spell spelling} of one
 * is another line of bytes with the same meaning.
 *
 * @param route where it goes
 * @param segments the variable segments of the path, decoded
 * @param query the query parameters, decoded
 * @param fields the form fields, where the route takes a form
 * @param json the body, where the route takes JSON
 * @param key the key or token
 */
record GeneratedRequest(Route route, List<String> segments, Map<String, List<String>> query,
		Map<String, List<String>> fields, Map<Text, Object> json, String key) {

	/** What may stand in a segment, a field or a value, once it is encoded. */
	private static final String ALPHABET = "abcXYZ019-._~ !$&'()*+,;=:@?#%\"<>[]{}|^`\u00e9\u4e2d";

	private static final String UNRESERVED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

	private static final String HEX = "0123456789ABCDEF";

	/** A place that takes submissions. */
	enum Route {

		EXPRESSION, HEADER_JSON, HEADER_FORM, TOKEN_JSON, TOKEN_FORM, CONTENT_JSON, CONTENT_FORM, WILDCARD_HEADER,
		WILDCARD_CONTENT;

		private final String path = name().toLowerCase(Locale.ROOT).replace('_', '-');

		private final boolean form = name().endsWith("FORM");

		private final boolean wildcard = name().startsWith("WILDCARD");

		private final boolean token = name().startsWith("TOKEN");

		boolean takesToken() {
			return this.token;
		}

	}

	static GeneratedRequest any(Random random, Route route, String token) {
		Map<Text, Object> json = new LinkedHashMap<>();
		json.put(new Text("user"), new Text("user " + random.nextInt()));
		for (int i = random.nextInt(4); i > 0; i--) {
			json.put(JsonTexts.text(random), JsonTexts.value(random));
		}
		List<String> segments = new ArrayList<>();
		for (int i = route.wildcard ? 1 + random.nextInt(3) : 2; i > 0; i--) {
			segments.add(text(random));
		}
		Map<String, List<String>> fields = fields(random, 4);
		fields.put("id", List.of(UUID.randomUUID().toString()));
		return new GeneratedRequest(route, segments, fields(random, 3), fields, json,
				route.token ? token : key(random));
	}

	/**
	 * Another request, which differs in one thing that counts.
	 */
	GeneratedRequest mutate(Random random) {
		List<String> others = new ArrayList<>(this.segments);
		Map<String, List<String>> otherQuery = new LinkedHashMap<>(this.query);
		Map<String, List<String>> otherFields = new LinkedHashMap<>(this.fields);
		Map<Text, Object> otherJson = new LinkedHashMap<>(this.json);
		switch (random.nextInt(3)) {
			case 0 -> others.replaceAll((segment) -> segment + random.nextInt(2) + "!");
			case 1 -> change(otherQuery, random);
			default -> {
				change(otherFields, random);
				List<Text> members = new ArrayList<>(otherJson.keySet());
				otherJson.compute(members.get(random.nextInt(members.size())),
						(name, value) -> JsonTexts.mutate(value, random));
			}
		}
		return new GeneratedRequest(this.route, others, otherQuery, otherFields, otherJson, this.key);
	}

	private static void change(Map<String, List<String>> fields, Random random) {
		List<String> names = new ArrayList<>(fields.keySet());
		if (names.isEmpty()) {
			fields.put("added", List.of(""));
			return;
		}
		List<String> values = new ArrayList<>(fields.get(names.get(0)));
		if (random.nextBoolean()) {
			values.add("more");
		}
		else {
			values.set(0, values.get(0) + "!");
		}
		fields.put(names.get(0), values);
	}

	/**
	 * One of the ways to send it.
	 * @param context the context path
	 * @param random decides the way
	 * @return the request line, the headers, and the body
	 */
	Spelling spell(String context, Random random) {
		String target = context + "/" + segment(this.route.path, random) + path(random) + query(random);
		List<String> headers = new ArrayList<>();
		String body = this.route.form ? form(random) : JsonTexts.write(this.json, random);
		if (!this.route.token) {
			headers.add(anyCase("Idempotency-Key", random) + ": " + keyHeader(random));
		}
		else if (!this.route.form || random.nextBoolean()) {
			headers.add(anyCase("Idempotent-Token", random) + ": " + this.key);
		}
		else {
			body = "_idempotentToken=" + this.key + "&" + body;
		}
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		headers.add(anyCase("Content-Length", random) + ": " + bytes.length);
		headers.add(anyCase("Content-Type", random) + ":"
				+ (this.route.form ? "application/x-www-form-urlencoded" : "application/json"));
		headers.add("Connection: close");
		if (random.nextBoolean()) {
			headers.add("X-Forwarded-Prefix: /" + (char) ('a' + random.nextInt(26)));
		}
		if (random.nextBoolean()) {
			headers.add("X-Attempt: " + random.nextInt());
		}
		Collections.shuffle(headers, random);
		return new Spelling("POST " + target + " HTTP/1.1", headers, new String(bytes, StandardCharsets.ISO_8859_1));
	}

	private String path(Random random) {
		StringBuilder path = new StringBuilder();
		for (String segment : this.segments) {
			path.append('/');
			if (this.route.wildcard) {
				// What the container takes for nothing.
				path.append(List.of("", "", "/", "./", "up/../").get(random.nextInt(5)));
			}
			path.append(segment(segment, random));
		}
		return this.route.wildcard ? path.toString() : path + "/end";
	}

	private String query(Random random) {
		String query = encoded(this.query, random);
		return (query.isEmpty() && random.nextBoolean()) ? "" : "?" + query;
	}

	private String form(Random random) {
		Map<String, List<String>> sent = new LinkedHashMap<>(this.fields);
		if (random.nextBoolean()) {
			sent.put("_csrf", List.of(UUID.randomUUID().toString()));
		}
		return encoded(sent, random);
	}

	private String keyHeader(Random random) {
		String space = " ".repeat(random.nextInt(3));
		boolean bare = this.key.chars().allMatch((c) -> UNRESERVED.indexOf(c) >= 0);
		if (bare && random.nextBoolean()) {
			return space + this.key + space;
		}
		String parameters = List.of("", "", ";a", ";a=1; b=\"x,y\";c=?1", ";*x=token/1").get(random.nextInt(5));
		return space + '"' + this.key.replace("\\", "\\\\").replace("\"", "\\\"") + '"' + parameters + space;
	}

	/** The fields in any order, those of one name in theirs. */
	private static String encoded(Map<String, List<String>> fields, Random random) {
		List<String> groups = new ArrayList<>();
		fields.forEach((name, values) -> {
			List<String> group = new ArrayList<>();
			values.forEach((value) -> group.add(field(name, random) + "=" + field(value, random)));
			groups.add(String.join("&", group));
		});
		Collections.shuffle(groups, random);
		return String.join("&", groups);
	}

	private static String field(String text, Random random) {
		return random.nextBoolean() ? URLEncoder.encode(text, StandardCharsets.UTF_8) : percent(text, random);
	}

	private static String segment(String text, Random random) {
		return percent(text, random) + List.of("", "", "", ";v=1", ";jsessionid=0123ABCD", ";").get(random.nextInt(6));
	}

	private static String percent(String text, Random random) {
		StringBuilder out = new StringBuilder();
		for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
			if (UNRESERVED.indexOf(b) >= 0 && random.nextInt(4) > 0) {
				out.append((char) b);
			}
			else {
				String hex = "" + HEX.charAt((b >> 4) & 0xf) + HEX.charAt(b & 0xf);
				out.append('%').append(random.nextBoolean() ? hex : hex.toLowerCase(Locale.ROOT));
			}
		}
		return out.toString();
	}

	private static String anyCase(String name, Random random) {
		StringBuilder out = new StringBuilder();
		for (int i = 0; i < name.length(); i++) {
			char c = name.charAt(i);
			out.append(random.nextBoolean() ? Character.toUpperCase(c) : Character.toLowerCase(c));
		}
		return out.toString();
	}

	private static Map<String, List<String>> fields(Random random, int bound) {
		Map<String, List<String>> fields = new LinkedHashMap<>();
		for (int i = random.nextInt(bound); i > 0; i--) {
			List<String> values = new ArrayList<>();
			for (int j = random.nextInt(3); j >= 0; j--) {
				values.add(text(random));
			}
			fields.put(text(random), values);
		}
		return fields;
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder("v");
		for (int i = random.nextInt(6); i > 0; i--) {
			text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
		}
		return text.toString();
	}

	private static String key(Random random) {
		String key = UUID.randomUUID().toString();
		return random.nextBoolean() ? key : key + " \"quoted\\\" , ; key";
	}

	/**
	 * A request as it goes over the wire.
	 *
	 * @param line the request line
	 * @param headers the headers
	 * @param body the body, a character for a byte
	 */
	record Spelling(String line, List<String> headers, String body) {

		@Override
		public String toString() {
			return this.line + "\n" + String.join("\n", this.headers) + "\n\n" + this.body;
		}

	}

}
