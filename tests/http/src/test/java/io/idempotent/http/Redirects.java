package io.idempotent.http;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * {@code sendRedirect} in all its forms.
 */
@Controller
@RequestMapping("/redirects")
@ApiIdempotent
class Redirects {

	private static final Map<String, Answer> ANSWERS = answers();

	static List<Twin> twins() {
		return List.of(Twin.of("sendRedirect", Request.post("/redirects/absolute-path")),
				Twin.of("sendRedirect of HTTP/1.0", Request.post("/redirects/absolute-path").version("HTTP/1.0"))
					.inHttp1Only(),
				Twin.of("sendRedirect relative to the path", Request.post("/redirects/relative")),
				Twin.of("sendRedirect with parts of a path to take back", Request.post("/redirects/dots")),
				Twin.of("sendRedirect to a host", Request.post("/redirects/host")),
				Twin.of("sendRedirect to a host without a scheme", Request.post("/redirects/no-scheme")),
				Twin.of("sendRedirect after a write", Request.post("/redirects/after-write")),
				Twin.of("writes after sendRedirect, which count for nothing", Request.post("/redirects/write-after")),
				Twin.of("headers after sendRedirect, which come too late", Request.post("/redirects/header-after")),
				Twin.of("sendRedirect with a status", Request.post("/redirects/status")),
				Twin.of("sendRedirect that keeps what was written", Request.post("/redirects/keeps")),
				Twin.of("sendRedirect twice", Request.post("/redirects/twice")));
	}

	private static Map<String, Answer> answers() {
		Map<String, Answer> answers = new HashMap<>();
		answers.put("absolute-path", (response) -> response.sendRedirect("/orders/7"));
		answers.put("relative", (response) -> response.sendRedirect("orders/7?paid=true"));
		answers.put("dots", (response) -> response.sendRedirect("../orders/./7"));
		answers.put("host", (response) -> response.sendRedirect("https://bank.example/pay"));
		answers.put("no-scheme", (response) -> response.sendRedirect("//bank.example/pay"));
		answers.put("after-write", (response) -> {
			response.getWriter().write("dropped");
			response.sendRedirect("/orders/7");
		});
		answers.put("write-after", (response) -> {
			response.sendRedirect("/orders/7");
			try {
				response.getWriter().write("too late");
			}
			catch (IOException ex) {
				// As some servers tell it.
			}
		});
		answers.put("header-after", (response) -> {
			response.sendRedirect("/orders/7");
			response.setHeader("X-Late", "yes");
			response.setStatus(202);
		});
		answers.put("status", (response) -> response.sendRedirect("/orders/7", 303));
		answers.put("keeps", (response) -> {
			response.getWriter().write("see there");
			response.sendRedirect("/orders/7", 307, false);
		});
		answers.put("twice", (response) -> {
			response.sendRedirect("/orders/7");
			try {
				response.sendRedirect("/orders/8");
			}
			catch (IllegalStateException ex) {
				// Too late, as it should be.
			}
		});
		return answers;
	}

	@PostMapping("/{way}")
	void answer(@PathVariable("way") String way, HttpServletResponse response) throws IOException {
		ANSWERS.get(way).write(response);
	}

}
