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
		assertThat(parts("/a/{y}/{x}", Map.of("y", "2", "x", "1"))).containsExactly("pattern", "/a/{y}/{x}", "x", "1",
				"y", "2");
		assertThat(parts("", Map.of())).containsExactly("pattern", "");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a/**", "/a/*", "/*/{x}", "/a/b?/{x}", "*", "/{x}/**", "/a/*.json", "/a/{x:[a-z?]*}" })
	void wildcardCountsAsTheContainerDecodedIt(String pattern) {
		assertThat(parts(pattern, Map.of("x", "1"))).containsExactly("pattern", pattern, "x", "1", "/decoded/path");
	}

	@Test
	void catchAllVariableIsAWildcard() {
		assertThat(parts("/a/{*rest}", Map.of("rest", "/./b"))).containsExactly("pattern", "/a/{*rest}",
				"/decoded/path");
		assertThat(parts("/{*rest}/end", Map.of("rest", "/./b"))).containsExactly("pattern", "/{*rest}/end",
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
