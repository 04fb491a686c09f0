package io.idempotent.webmvc.internal.request;

import java.util.Objects;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Content negotiation of the library's own responses, which offers JSON before HTML.
 */
class AcceptedTypesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			*/*                                          | application/json
			text/html, */*;q=0.8                         | text/html
			text/*                                       | text/html
			text/html;q=0.5, */*                         | application/json
			image/png, text/html;q=0.5, application/json;q=0.4 | text/html
			*/*, text/html                               | text/html
			application/json;q=0, */*                    | text/html
			application/json;q=0, application/*, */*;q=0.1 | text/html
			application/json;q=0.1, */*                  | text/html
			*/*;q=0, application/json                    | application/json
			text/html;q=0, application/json;q=0, */*     |
			image/png                                    |
			""")
	void theMostSpecificTypeGivesTheQualityOfAnOffer(String accept, String preferred) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.addHeader("Accept", accept);
		MediaType found = AcceptedTypes.prefer(request, MediaType.APPLICATION_JSON, MediaType.TEXT_HTML);
		assertThat(Objects.toString(found, null)).isEqualTo(preferred);
	}

}
