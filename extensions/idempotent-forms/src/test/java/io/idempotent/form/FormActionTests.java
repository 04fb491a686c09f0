package io.idempotent.form;

import jakarta.servlet.RequestDispatcher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.PathContainer;
import org.springframework.mock.web.MockHttpServletMapping;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.util.ServletRequestPathUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page is {@code https://shop.example:8443/app/mvc/pages/new} of the application
 * {@code /app}, whose Spring MVC is mapped to {@code /mvc}.
 */
class FormActionTests {

	@ParameterizedTest
	@CsvSource({ "/app/mvc/orders, /orders", "/app/mvc/orders?x=1&amp;y=2, /orders", "/app/mvc/orders#top, /orders",
			"/app/mvc/orders/a%20b, /orders/a%20b", "/app/mvc/it&#39;s, /it's",
			"/app/mvc/orders;jsessionid=A1?x=/../y, /orders;jsessionid=A1", "'', /pages/new", "?x=1, /pages/new",
			"#top, /pages/new", "edit, /pages/edit", "./edit, /pages/edit", "../orders, /orders", "../../mvc/a, /a",
			"../%2e%2E/mvc/a/.., /", "../orders/., /orders/", "..\\orders, /orders", "' /app/mvc/orders\n', /orders",
			"https://shop.example:8443/app/mvc/orders, /orders", "HTTPS://SHOP.example:8443/app/mvc/orders?x, /orders",
			"//shop.example:8443/app/mvc/orders, /orders", "/app/mvc, ''", "/app/mvc/{id}|, /{id}|" })
	void actionOfThisApplicationIsAPath(String action, String path) {
		assertThat(resolve(action)).isEqualTo(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/orders", "/app/orders", "/app/mvcorders", "//app/mvc/orders", "///app/mvc/orders",
			"/\\example.com/app/mvc/orders", "\\\\example.com/app/mvc/orders", "/\t/example.com/app/mvc/orders",
			"https://example.com/app/mvc/orders", "https:example.com/app/mvc/orders", "https:/app/mvc/orders",
			"https:\\\\example.com/app/mvc/orders", "http://shop.example:8443/app/mvc/orders",
			"https://shop.example/app/mvc/orders", "https://shop.example:8443@example.com/app/mvc/orders",
			"https://example.com#@shop.example:8443/app/mvc/orders", "https://shop.example:8443.evil/app/mvc/orders",
			"javascript:alert(1)", "mailto:a@b", "../../../app/orders", "https://" })
	void actionOnAnotherOriginIsIgnored(String action) {
		assertThat(resolve(action)).isNull();
	}

	@Test
	void defaultPortNeedNotBeNamed() {
		MockHttpServletRequest request = page();
		request.setServerPort(443);
		assertThat(FormAction.resolve(request, "https://shop.example/app/mvc/a")).hasToString("/a");
		assertThat(FormAction.resolve(request, "https://shop.example:443/app/mvc/a")).hasToString("/a");
	}

	@Test
	void pageIsTheAddressShownByTheBrowser() {
		MockHttpServletRequest request = page();
		request.setAttribute(RequestDispatcher.FORWARD_REQUEST_URI, "/app/mvc/pages/new");
		request.setRequestURI("/app/WEB-INF/jsp/page.jsp");
		assertThat(FormAction.resolve(request, "edit")).hasToString("/pages/edit");
		request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, "/app/mvc/failed/new");
		assertThat(FormAction.resolve(request, "edit")).hasToString("/failed/edit");
	}

	@ParameterizedTest
	@CsvSource({ "/app/mvc/, orders, /orders", "/app/mvc/shop/index, orders, /shop/orders", "../, orders, /orders",
			"https://shop.example:8443/app/mvc/, orders, /orders", "/app/mvc/, ?x=1, /", "/app/mvc/, '', /pages/new",
			"/app/mvc/a/, /app/mvc/orders, /orders", "https://example.com/, orders,",
			"https://example.com/, '', /pages/new", "https://example.com/, /app/mvc/orders,",
			"https://example.com/, https://shop.example:8443/app/mvc/orders, /orders" })
	void addressesAreResolvedAgainstTheBase(String base, String action, @Nullable String path) {
		MockHttpServletRequest request = page();
		FormAction.base(request, base);
		FormAction.base(request, "/the/first/one/counts");
		PathContainer resolved = FormAction.resolve(request, action);
		assertThat((resolved != null) ? resolved.value() : null).isEqualTo(path);
	}

	private static @Nullable String resolve(String action) {
		PathContainer path = FormAction.resolve(page(), action);
		return (path != null) ? path.value() : null;
	}

	private static MockHttpServletRequest page() {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/app/mvc/pages/new");
		request.setScheme("https");
		request.setServerName("shop.example");
		request.setServerPort(8443);
		request.setContextPath("/app");
		request.setServletPath("/mvc");
		request.setHttpServletMapping(
				new MockHttpServletMapping("mvc", "/mvc/*", "dispatcher", jakarta.servlet.http.MappingMatch.PATH));
		ServletRequestPathUtils.parseAndCache(request);
		return request;
	}

}
