package io.idempotent.webmvc.internal.request;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.HandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

class MatchedPathTests {

	@Test
	void partsArePatternAndVariables() {
		assertThat(parts("/a/{y}/{x}-b", Map.of("y", "2", "x", "1"))).containsExactly("pattern", "/a/{}/{}-b", "2",
				"1");
		assertThat(parts("", Map.of())).containsExactly("pattern", "");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a/{id}", "/a/{x:[a-z?]*}", "/a/{x:[0-9]{1,3}}" })
	void anotherVersionMayNameAVariableOtherwise(String pattern) {
		assertThat(parts(pattern, Map.of("id", "1", "x", "1"))).isEqualTo(parts("/a/{y}", Map.of("y", "1")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a/**", "/a/*", "/a/b?/c", "*", "/a/*.json" })
	void wildcardCountsAsTheContainerDecodedIt(String pattern) {
		assertThat(parts(pattern, Map.of())).containsExactly("pattern", pattern, "/decoded/path");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/*/{x}", "/a/b?/{x}", "/{x}/**" })
	void wildcardCountsBesideAVariable(String pattern) {
		assertThat(parts(pattern, Map.of("x", "1"))).containsExactly("pattern", pattern.replace("x", ""), "1",
				"/decoded/path");
	}

	@Test
	void catchAllVariableIsAWildcard() {
		assertThat(parts("/a/{*rest}", Map.of("rest", "/./b"))).containsExactly("pattern", "/a/{*}", "/decoded/path");
		assertThat(parts("/{*rest}/end", Map.of("rest", "/./b"))).containsExactly("pattern", "/{*}/end",
				"/decoded/path");
	}

	@Test
	void partsAreThePathWithoutAPattern() {
		assertThat(MatchedPath.parts(request())).containsExactly("path", "/decoded/path");
	}

	private static List<String> parts(String pattern, Map<String, String> variables) {
		MockHttpServletRequest request = request();
		request.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, pattern);
		request.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, variables);
		return MatchedPath.parts(request);
	}

	private static MockHttpServletRequest request() {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/context/d%65coded/path;v=1");
		request.setServletPath("/decoded");
		request.setPathInfo("/path");
		return request;
	}

}
