package io.idempotent.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The queries of the dashboard and of the alerts, by the name of the panel or alert.
 */
final class Queries {

	static final Path DIRECTORY = Path.of("..", "..", "docs", "operations");

	static final Path ALERTS = DIRECTORY.resolve("prometheus-alerts.yml");

	static final Path DASHBOARD = DIRECTORY.resolve("grafana-dashboard.json");

	/** A metric of the library, with its matchers. */
	private static final Pattern SELECTOR = Pattern.compile("\\b(idempotent_[a-z_]+)(\\{[^}]*})?");

	private Queries() {
	}

	/**
	 * All queries, with Grafana's variables filled in.
	 * @param job the label of the application
	 */
	static Map<String, String> all(String job) throws IOException {
		Map<String, String> queries = new LinkedHashMap<>(alerts());
		JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(DASHBOARD));
		for (JsonNode panel : dashboard.path("panels")) {
			for (JsonNode target : panel.path("targets")) {
				queries.put("panel '" + panel.path("title").asString() + "' " + target.path("refId").asString(),
						target.path("expr")
							.asString()
							.replace("$job", job)
							.replace("$__rate_interval", "1m")
							.replace("$__range", "1h"));
			}
		}
		return queries;
	}

	private static Map<String, String> alerts() throws IOException {
		Map<String, String> queries = new LinkedHashMap<>();
		rules().forEach((rule) -> queries.put("alert " + rule.get("alert"), String.valueOf(rule.get("expr"))));
		return queries;
	}

	/** The rules of the alerts. */
	@SuppressWarnings("unchecked")
	static List<Map<String, Object>> rules() throws IOException {
		Map<String, List<Map<String, Object>>> file = new Yaml().load(Files.readString(ALERTS));
		List<Map<String, Object>> rules = new ArrayList<>();
		file.getOrDefault("groups", List.of())
			.forEach((group) -> rules.addAll((List<Map<String, Object>>) group.get("rules")));
		return rules;
	}

	/**
	 * The selectors of a query.
	 * @param query the query
	 * @return each metric with its matchers, such as {@code a_total{result="hit"}}
	 */
	static List<String> selectors(String query) {
		return SELECTOR.matcher(query).results().map((match) -> match.group()).distinct().toList();
	}

	/** The name of the metric that a selector selects. */
	static String metric(String selector) {
		Matcher matcher = SELECTOR.matcher(selector);
		return matcher.matches() ? matcher.group(1) : selector;
	}

	/** The labels of a selector, without those that Prometheus adds. */
	static List<String> labels(String query) {
		Pattern label = Pattern.compile("[{,]\\s*([a-z_]+)\\s*(?:=~|!=|=)|by \\(([^)]*)\\)");
		return label.matcher(query)
			.results()
			.flatMap((match) -> Pattern.compile("\\s*,\\s*")
				.splitAsStream((match.group(1) != null) ? match.group(1) : match.group(2)))
			.filter((name) -> !List.of("job", "instance").contains(name))
			.distinct()
			.toList();
	}

}
