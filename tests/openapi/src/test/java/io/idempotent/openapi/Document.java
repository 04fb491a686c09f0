package io.idempotent.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI document of an application, as a client reads it.
 *
 * @param root the document
 */
record Document(JsonNode root) {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	static Document parse(String text) {
		return new Document(JSON.readTree(text));
	}

	JsonNode post(String path) {
		return this.root.path("paths").path(path).path("post");
	}

	JsonNode get(String path) {
		return this.root.path("paths").path(path).path("get");
	}

	JsonNode extension(String path) {
		return post(path).path("x-idempotent");
	}

	/**
	 * The paths of the idempotent operations.
	 */
	List<String> idempotentPaths() {
		List<String> paths = new ArrayList<>();
		this.root.path("paths").propertyNames().forEach((path) -> {
			if (post(path).has("x-idempotent")) {
				paths.add(path);
			}
		});
		return paths;
	}

	/**
	 * The codes of the problems that have an example among the responses.
	 */
	Set<String> problems(String path) {
		Set<String> codes = new TreeSet<>();
		post(path).path("responses")
			.forEach((response) -> problem(response).path("examples").propertyNames().forEach(codes::add));
		return codes;
	}

	/**
	 * The documented response that has an example of a problem.
	 */
	JsonNode response(String path, String code) {
		for (JsonNode response : post(path).path("responses")) {
			if (problem(response).path("examples").has(code)) {
				return response;
			}
		}
		throw new AssertionError(path + " does not document " + code);
	}

	static JsonNode problem(JsonNode response) {
		JsonNode content = response.path("content");
		return content.path(content.has("application/problem+json") ? "application/problem+json" : "application/json");
	}

	JsonNode header(String path, String name) {
		for (JsonNode parameter : post(path).path("parameters")) {
			if (parameter.path("in").asString().equals("header")
					&& parameter.path("name").asString().equalsIgnoreCase(name)) {
				return parameter;
			}
		}
		return JSON.missingNode();
	}

	/**
	 * The examples of problems that do not match their schemas.
	 */
	List<String> invalidExamples() {
		List<String> invalid = new ArrayList<>();
		for (String path : idempotentPaths()) {
			for (String code : problems(path)) {
				JsonNode problem = problem(response(path, code));
				List<Error> errors = validate(problem.path("schema"),
						problem.path("examples").path(code).path("value"));
				if (!errors.isEmpty()) {
					invalid.add(path + " " + code + " " + errors);
				}
			}
		}
		return invalid;
	}

	/**
	 * Validates a value against a schema of the document.
	 * @return what is wrong
	 */
	List<Error> validate(JsonNode schema, JsonNode value) {
		ObjectNode whole = JSON.createObjectNode();
		whole.set("components", this.root.path("components"));
		whole.setAll((ObjectNode) schema.deepCopy());
		return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(whole).validate(value);
	}

}
