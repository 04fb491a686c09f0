package io.idempotent.graphql;

import java.util.List;

import graphql.execution.directives.QueryAppliedDirective;
import graphql.introspection.Introspection.DirectiveLocation;
import graphql.language.DirectiveDefinition;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeDefinitionRegistry;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

/** The directive {@code @idempotent(key: String!) on FIELD}. */
final class IdempotentDirective {

	private static final String NAME = "idempotent";

	private static final String KEY = "key";

	private static final String DEFINITION = """
			"The mutation takes effect once for each key."
			directive @idempotent(key: String!) on FIELD
			""";

	private IdempotentDirective() {
	}

	/** Unless the schema of the application declares it. */
	static void define(TypeDefinitionRegistry schema) {
		DirectiveDefinition own = schema.getDirectiveDefinition(NAME).orElse(null);
		if (own == null) {
			schema.merge(new SchemaParser().parse(DEFINITION));
		}
		else if (!declaresKey(own)) {
			throw new StartUpException(
					"The schema declares a directive @idempotent that clients cannot send a key with",
					"Declare it as 'directive @idempotent(key: String!) on FIELD', or not at all", null);
		}
	}

	private static boolean declaresKey(DirectiveDefinition definition) {
		return definition.getInputValueDefinitions().stream().anyMatch((value) -> value.getName().equals(KEY))
				&& definition.getDirectiveLocations()
					.stream()
					.anyMatch((location) -> location.getName().equals(DirectiveLocation.FIELD.name()));
	}

	/**
	 * The keys on a field, nothing if it has no directive: several if the document has
	 * the field several times, and {@code null} is no key.
	 */
	static List<@Nullable Object> keys(DataFetchingEnvironment environment) {
		return environment.getQueryDirectives()
			.getImmediateAppliedDirective(NAME)
			.stream()
			.map(IdempotentDirective::key)
			.distinct()
			.toList();
	}

	private static @Nullable Object key(QueryAppliedDirective directive) {
		return (directive.getArgument(KEY) != null) ? directive.getArgument(KEY).getValue() : null;
	}

}
