package io.idempotent.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * Headers, cookies, languages and sessions.
 */
@Controller
@RequestMapping("/headers")
@ApiIdempotent
class Headers {

	private static final Map<String, Answer> ANSWERS = answers();

	static List<Twin> twins() {
		return Stream.concat(others().stream(), typed()).toList();
	}

	private static Stream<Twin> typed() {
		return Stream
			.of("text/plain;profile=x;charset=utf-8", "text/plain;charset=utf-8;profile=x", "text/html; charset=utf-8",
					"text/html; a=\"b;c\"; charset=\"utf-8\"; d=e", "text/plain;profile=x",
					"application/json;charset=UTF-8;profile=x", "application/problem+json;x=y", "text/xml;x=y",
					"application/x-y;charset=ISO-8859-1;z=1", "TEXT/Plain;charset=UTF-8;X=y")
			.flatMap((type) -> Stream.of("stream", "writer", "locale", "late", "entity")
				.map((way) -> Twin.of("the type " + type + " and a " + way,
						Request.post("/headers/typed/" + way).header("X-Type: " + type))));
	}

	private static List<Twin> others() {
		return List.of(Twin.of("values of many kinds", Request.post("/headers/kinds")),
				Twin.of("characters that no header can hold", Request.post("/headers/chinese")).inHttp1Only(),
				Twin.of("spaces around a value", Request.post("/headers/spaces")).inHttp1Only(),
				Twin.of("a header that is taken back", Request.post("/headers/taken-back")),
				Twin.of("two cookies", Request.post("/headers/cookies")),
				Twin.of("a language", Request.post("/headers/language")),
				Twin.of("a language of its own beside another", Request.post("/headers/languages")),
				Twin.of("the language of the client",
						Request.post("/headers/client-language").header("Accept-Language: zh-TW, zh;q=0.5")),
				Twin.of("an encoding after the writer, which is too late", Request.post("/headers/late-encoding")),
				Twin.of("an encoding of its own", Request.post("/headers/encoding")),
				Twin.of("a type without an encoding, and a writer", Request.post("/headers/type")),
				Twin.of("a new session", Request.post("/headers/session")),
				Twin.of("a session in an address", Request.post("/headers/session-in-address")),
				Twin.of("an ended session", Request.post("/headers/ended-session")),
				Twin.of("the connection closed by the handler", Request.post("/headers/close")).inHttp1Only(),
				Twin.of("the header that marks replays", Request.post("/headers/reads-own")));
	}

	private static Map<String, Answer> answers() {
		Map<String, Answer> answers = new HashMap<>();
		answers.put("kinds", (response) -> {
			response.addHeader("X-Part", "one");
			response.addHeader("X-Part", "two");
			response.addIntHeader("X-Count", 7);
			response.setDateHeader("Last-Modified", 1_000_000_000_000L);
			response.addHeader("x-lower", "äöü");
			response.setContentType("text/plain");
			response.getOutputStream().print("seven");
		});
		answers.put("chinese", (response) -> {
			response.setHeader("X-Name", "已支付");
			response.getOutputStream().print("seven");
		});
		answers.put("spaces", (response) -> {
			response.setHeader("X-Spaces", "  seven\tand eight ");
			response.getOutputStream().print("seven");
		});
		answers.put("taken-back", (response) -> {
			response.setHeader("X-Order-Id", "7");
			response.setHeader("X-Order-Id", null);
			response.setContentType("text/plain");
			response.setContentType(null);
			response.getOutputStream().print("seven");
		});
		answers.put("cookies", (response) -> {
			response.addCookie(new Cookie("basket", "7"));
			Cookie second = new Cookie("seen", "yes");
			second.setMaxAge(-1);
			second.setHttpOnly(true);
			response.addCookie(second);
			response.getWriter().write("seven");
		});
		answers.put("language", (response) -> {
			response.setContentType("text/plain");
			response.setLocale(Locale.FRANCE);
			response.getWriter().write("seven");
		});
		answers.put("languages", (response) -> {
			response.setLocale(Locale.GERMANY);
			response.setHeader("Content-Language", "de, en");
			response.getWriter().write("seven");
		});
		answers.put("late-encoding", (response) -> {
			response.setContentType("text/plain;charset=ISO-8859-1");
			response.getWriter().write("für");
			response.setCharacterEncoding("UTF-8");
			response.setContentType("text/html;charset=UTF-16");
		});
		answers.put("encoding", (response) -> {
			response.setCharacterEncoding("UTF-16BE");
			response.setContentType("text/plain");
			response.getWriter().write("für");
		});
		answers.put("type", (response) -> {
			response.setContentType("application/json");
			response.getWriter().write("{}");
		});
		answers.put("close", (response) -> {
			response.setHeader("Connection", "close");
			response.getWriter().write("seven");
		});
		answers.put("reads-own", (response) -> {
			response.setHeader("X-Order-Id", "7");
			response.getWriter()
				.write(response.getHeader("X-Order-Id") + response.getHeaderNames().contains("X-Order-Id")
						+ response.containsHeader("X-Order-Id") + response.getStatus() + response.getHeaders("X-None"));
		});
		return answers;
	}

	@PostMapping("/{way}")
	void answer(@PathVariable("way") String way, HttpServletResponse response) throws IOException {
		ANSWERS.get(way).write(response);
	}

	@PostMapping("/typed/{way}")
	@Nullable ResponseEntity<byte[]> typed(@PathVariable String way, @RequestHeader("X-Type") String type,
			HttpServletResponse response) throws IOException {
		if (way.equals("entity")) {
			return ResponseEntity.ok().header("Content-Type", type).body("seven".getBytes(StandardCharsets.UTF_8));
		}
		response.setContentType(type);
		switch (way) {
			case "stream" -> response.getOutputStream().print("seven");
			case "locale" -> {
				response.setLocale(Locale.GERMANY);
				response.getWriter().print("seven");
			}
			case "late" -> {
				response.getWriter().print("seven");
				response.setContentType(type);
			}
			default -> response.getWriter().print("seven");
		}
		return null;
	}

	@PostMapping("/client-language")
	@ResponseBody
	String clientLanguage(Locale locale) {
		return locale.toLanguageTag();
	}

	@PostMapping("/session")
	@ResponseBody
	String session(HttpServletRequest request) {
		request.getSession().setAttribute("order", 7);
		return "seven";
	}

	@PostMapping("/session-in-address")
	void sessionInAddress(HttpServletRequest request, HttpServletResponse response) throws IOException {
		request.getSession().setAttribute("order", 7);
		response.setHeader("X-Next", "/next;jsessionid=" + request.getSession().getId() + "?a=b");
		response.sendRedirect(response.encodeRedirectURL("/orders/7"));
	}

	@PostMapping("/ended-session")
	@ResponseBody
	String endedSession(HttpServletRequest request) {
		request.getSession().invalidate();
		return "seven";
	}

}
