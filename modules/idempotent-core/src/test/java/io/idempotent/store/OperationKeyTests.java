package io.idempotent.store;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OperationKeyTests {

	private static OperationKey key(String namespace, String operation, List<String> scope, String value) {
		return OperationKey.of(namespace, operation, scope, value);
	}

	@Test
	void everyPartCounts() {
		Set<OperationKey> keys = new HashSet<>();
		keys.add(key("shop", "Orders.create", List.of("alice"), "1"));
		keys.add(key("bank", "Orders.create", List.of("alice"), "1"));
		keys.add(key("shop", "Orders.cancel", List.of("alice"), "1"));
		keys.add(key("shop", "Orders.create", List.of("bob"), "1"));
		keys.add(key("shop", "Orders.create", List.of(), "1"));
		keys.add(key("shop", "Orders.create", List.of("alice"), "2"));
		assertThat(keys).hasSize(6);
	}

	@Test
	void boundariesOfPartsMatter() {
		Set<OperationKey> keys = new HashSet<>();
		keys.add(key("ab", "c", List.of(), "d"));
		keys.add(key("a", "bc", List.of(), "d"));
		keys.add(key("a", "b", List.of("c"), "d"));
		keys.add(key("a", "b", List.of("c", ""), "d"));
		keys.add(key("a", "b", List.of("", "c"), "d"));
		keys.add(key("a", "b", List.of(), "cd"));
		keys.add(key("a", "b", List.of("c"), "d\0"));
		assertThat(keys).hasSize(7);
	}

	@Test
	void aDerivedKeyDependsOnThePurposeAndNotOnTheAttempt() {
		OperationKey key = key("shop", "Orders.create", List.of(), "1");
		assertThat(key.derive("charge")).isEqualTo(key.derive("charge")).isNotEqualTo(key.derive("mail"));
		assertThat(key.derive("charge")).isNotEqualTo(key)
			.isNotEqualTo(key("shop", "Orders.create", List.of(), "2").derive("charge"));
	}

	@Test
	void itsEncodedFormIsAShortOpaqueHeaderValue() {
		OperationKey key = key("shop", "Orders.create", List.of("alice"), "secret");
		assertThat(key.encoded()).matches("[A-Za-z0-9_-]{43}");
		assertThat(key.derive("charge").encoded()).hasSize(43);
	}

	@Test
	void inALogItIsShort() {
		OperationKey key = key("shop", "Orders.create", List.of("alice"), "secret");
		assertThat(key).hasToString(key.digest().toString());
		assertThat(key.toString()).isEqualTo(key.encoded().substring(0, 12));
	}

}
