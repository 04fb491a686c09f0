package io.idempotent.graphql;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import graphql.schema.DataFetchingEnvironment;
import io.idempotent.IdempotencyProfile.KeySyntax;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.graphql.SenderInterceptor.Sender;
import io.idempotent.method.MessageIdentity;
import io.idempotent.webmvc.internal.key.KeyReader;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.graphql.data.method.annotation.SchemaMapping;

/**
 * The key of a mutation: its directive, else the header of its HTTP request. Content are
 * the arguments of the field, not the rest of the document.
 */
final class MutationIdentity implements MessageIdentity {

	/** Is not part of a key that a client sends. */
	private static final char SEPARATOR = '\n';

	private final HttpSettings settings;

	MutationIdentity(HttpSettings settings) {
		this.settings = settings;
	}

	@Override
	public boolean supports(Method method) {
		SchemaMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, SchemaMapping.class);
		if (mapping == null || !mapping.typeName().equals("Mutation")) {
			return false;
		}
		if (Arrays.stream(method.getParameterTypes()).noneMatch(DataFetchingEnvironment.class::equals)) {
			throw new IllegalArgumentException("it is a mutation without a key expression, whose key is that of the "
					+ "client: let it take a " + DataFetchingEnvironment.class.getName()
					+ ", in which the key is found, or name what tells its calls apart, as in key = \"#input.id\"");
		}
		return true;
	}

	@Override
	public @Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments) {
		DataFetchingEnvironment field = Arrays.stream(arguments)
			.filter(DataFetchingEnvironment.class::isInstance)
			.map(DataFetchingEnvironment.class::cast)
			.findFirst()
			.orElse(null);
		Sender sender = (field != null) ? field.getGraphQlContext().get(Sender.class) : null;
		if (field == null || sender == null) {
			return null;
		}
		List<String> caller = sender.caller().apply(operation);
		String key = key(field, sender, operation);
		return (key != null) ? new Identity(key, field.getArguments(), caller) : null;
	}

	@Override
	public boolean isOfCaller() {
		return true;
	}

	@Override
	public String description() {
		return "the directive @idempotent(key: \"...\") on the field, or the header " + this.settings.keyHeader()
				+ " of the HTTP request";
	}

	private @Nullable String key(DataFetchingEnvironment field, Sender sender, String operation) {
		List<@Nullable Object> directives = IdempotentDirective.keys(field);
		if (!directives.isEmpty()) {
			return KeyReader.key(single(directives, operation), KeySyntax.OPAQUE, operation);
		}
		boolean atRoot = field.getExecutionStepInfo().getPath().getLevel() == 1;
		if (sender.keys().isEmpty() || !atRoot) {
			return null;
		}
		String key = KeyReader.key(single(sender.keys(), operation), this.settings.protocol().keySyntax(), operation);
		// By the field alone, so that the rest of the document may differ in a repeat.
		String name = field.getField().getResultKey();
		return name.equals(field.getField().getName()) ? key : key + SEPARATOR + name;
	}

	private static String single(List<?> keys, String operation) {
		if (keys.size() == 1 && keys.get(0) instanceof String key) {
			return key;
		}
		throw new SubmissionRefusedException(Refusal.KEY_MALFORMED, operation);
	}

}
