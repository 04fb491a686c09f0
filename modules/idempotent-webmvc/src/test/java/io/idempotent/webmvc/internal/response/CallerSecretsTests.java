package io.idempotent.webmvc.internal.response;

import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

class CallerSecretsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "</orders;jsessionid=abc>; rel=\"next\" | </orders>; rel=\"next\"",
					"see \"/p;jsessionid=abc\", chapter 2 | see \"/p\", chapter 2",
					"0;url='/a;jsessionid=X' | 0;url='/a'", "</a;jsessionid=X>,</b>;rel=z | </a>,</b>;rel=z",
					"/a;jsessionid=X?b=c#d | /a?b=c#d", "/a;jsessionid=X;v=1/b | /a;v=1/b",
					"/a;JSESSIONID=0A-_~+=%21.node0!-12:n1/b | /a/b",
					"See /a;jsessionid=X.node0. Then /b;jsessionid=Y: done! | See /a. Then /b: done!",
					"(/a;jsessionid=X) | (/a)", "/a;jsessionid= | /a", "/a;v=1 | /a;v=1" })
	void removesOnlyTheIdFromAHeader(String value, String stripped) {
		assertThat(CallerSecrets.of(new MockHttpServletRequest(), Set.of()).strip(value)).isEqualTo(stripped);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "</a;sid=odd(id)>; rel=z | </a>; rel=z",
			"</a;sid=odd(id).node0>; rel=z | </a>; rel=z", "</a;jsessionid=odd(id)>; rel=z | </a>; rel=z" })
	void removesTheIdOfTheRequestWhateverItConsistsOf(String value, String stripped) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setRequestedSessionId("odd(id)");
		assertThat(CallerSecrets.of(request, Set.of()).strip(value)).isEqualTo(stripped);
	}

	@Test
	void aLongValueIsStripped() {
		String value = "/a;jsessionid=" + "x.".repeat(100_000);
		assertThat(CallerSecrets.of(new MockHttpServletRequest(), Set.of()).strip(value)).isEqualTo("/a.");
	}

	@ParameterizedTest
	@CsvSource({ "1, false", "1234567, false", "12345678, true" })
	void anIdThatCanBeGuessedIsNoSecret(String id, boolean secret) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setRequestedSessionId(id);
		assertThat(CallerSecrets.of(request, Set.of()).areIn("run " + id)).isEqualTo(secret);
	}

}
