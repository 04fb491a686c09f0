package io.idempotent.webmvc.internal.request;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.submission.policy.ComparedFields;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/** The compared fields of a request, without those of form token and CSRF token. */
record CountedFields(Supplier<String> csrfParameter, ComparedFields compared,
		String tokenParameter) implements Predicate<String> {

	/** The parameter is read for the first field, since most requests have no fields. */
	CountedFields {
		csrfParameter = SingletonSupplier.of(csrfParameter);
	}

	@Override
	public boolean test(String name) {
		return this.compared.counts(name) && !name.equals(this.tokenParameter)
				&& !name.equals(this.csrfParameter.get());
	}

	void addQuery(Digest.Builder digest, @Nullable String query) {
		Map<String, List<String>> fields = QueryFields.of(query);
		if (!fields.isEmpty()) {
			fields.keySet().removeIf(negate());
		}
		digest.add(Integer.toString(fields.size()));
		fields.forEach((name, values) -> {
			digest.add(name).add(Integer.toString(values.size()));
			values.forEach(digest::add);
		});
	}

	/** Adds the parameters if at least one that counts is not from the query. */
	void addForm(Digest.Builder digest, Map<String, String[]> parameters, @Nullable String query) {
		if (!areInBody(parameters, query, this)) {
			return;
		}
		digest.add("form");
		new TreeMap<>(parameters).forEach((name, values) -> {
			if (test(name)) {
				digest.add(name).add(Integer.toString(values.length));
				for (String value : values) {
					digest.add(QueryFields.orEmpty(value));
				}
			}
		});
	}

	/** Whether some of the parameters are not those of the query. */
	static boolean areInBody(Map<String, String[]> parameters, @Nullable String query, Predicate<String> names) {
		if (parameters.isEmpty()) {
			return false;
		}
		Map<String, List<String>> inQuery = QueryFields.of(query);
		return parameters.entrySet()
			.stream()
			.anyMatch((field) -> !Arrays.asList(field.getValue()).equals(inQuery.get(field.getKey()))
					&& names.test(field.getKey()));
	}

	/** The fields of an encoded form that count. */
	byte[] withoutIgnored(byte[] form) {
		String text = new String(form, StandardCharsets.ISO_8859_1);
		return Stream.of(text.split("&", -1))
			.filter((field) -> field.isEmpty() || test(QueryFields.name(field)))
			.collect(Collectors.joining("&"))
			.getBytes(StandardCharsets.ISO_8859_1);
	}

}
