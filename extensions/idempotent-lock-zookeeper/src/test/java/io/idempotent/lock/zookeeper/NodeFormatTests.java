package io.idempotent.lock.zookeeper;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.apache.curator.utils.PathUtils;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class NodeFormatTests {

	@Test
	void leavesPlainNamesReadable() {
		assertThat(NodeFormat.encode("order:42_a-Z")).isEqualTo("order:42_a-Z");
	}

	@Test
	void encodesSpecialCharactersAsNumbers() {
		assertThat(NodeFormat.encode("a/b.%")).isEqualTo("a%002fb%002e%0025");
		assertThat(NodeFormat.encode("订")).isEqualTo("%8ba2");
	}

	@Test
	void keepsDifferentNamesDifferent() {
		List<String> names = List.of("a/b", "a%002fb", "a.b", "a", "a%", "%", "%%", ".", "..", "?", "\uD800", "\uDC00",
				"\uD83D\uDE00", "\uFFFD", "A", "\u00e9", "e\u0301");
		Set<String> nodes = new HashSet<>();
		names.forEach((name) -> nodes.add(NodeFormat.encode(name)));
		assertThat(nodes).hasSameSizeAs(names);
	}

	@Test
	void everyCharacterBecomesAValidNodeName() {
		for (int character = 0; character <= Character.MAX_VALUE; character++) {
			String path = "/" + NodeFormat.encode(String.valueOf((char) character));
			assertThatNoException().isThrownBy(() -> PathUtils.validatePath(path));
		}
	}

}
