package io.idempotent.http;

import java.io.IOException;
import java.util.List;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * {@code sendRedirect} in all its forms.
 */
@Controller
@RequestMapping("/redirects")
class Redirects {

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

	@PostMapping("/absolute-path")
	@ApiIdempotent
	void absolutePath(HttpServletResponse response) throws IOException {
		response.sendRedirect("/orders/7");
	}

	@PostMapping("/relative")
	@ApiIdempotent
	void relative(HttpServletResponse response) throws IOException {
		response.sendRedirect("orders/7?paid=true");
	}

	@PostMapping("/dots")
	@ApiIdempotent
	void dots(HttpServletResponse response) throws IOException {
		response.sendRedirect("../orders/./7");
	}

	@PostMapping("/host")
	@ApiIdempotent
	void host(HttpServletResponse response) throws IOException {
		response.sendRedirect("https://bank.example/pay");
	}

	@PostMapping("/no-scheme")
	@ApiIdempotent
	void noScheme(HttpServletResponse response) throws IOException {
		response.sendRedirect("//bank.example/pay");
	}

	@PostMapping("/after-write")
	@ApiIdempotent
	void afterWrite(HttpServletResponse response) throws IOException {
		response.getWriter().write("dropped");
		response.sendRedirect("/orders/7");
	}

	@PostMapping("/write-after")
	@ApiIdempotent
	void writeAfter(HttpServletResponse response) throws IOException {
		response.sendRedirect("/orders/7");
		try {
			response.getWriter().write("too late");
		}
		catch (IOException ex) {
			// As some servers tell it.
		}
	}

	@PostMapping("/header-after")
	@ApiIdempotent
	void headerAfter(HttpServletResponse response) throws IOException {
		response.sendRedirect("/orders/7");
		response.setHeader("X-Late", "yes");
		response.setStatus(202);
	}

	@PostMapping("/status")
	@ApiIdempotent
	void status(HttpServletResponse response) throws IOException {
		response.sendRedirect("/orders/7", 303);
	}

	@PostMapping("/keeps")
	@ApiIdempotent
	void keeps(HttpServletResponse response) throws IOException {
		response.getWriter().write("see there");
		response.sendRedirect("/orders/7", 307, false);
	}

	@PostMapping("/twice")
	@ApiIdempotent
	void twice(HttpServletResponse response) throws IOException {
		response.sendRedirect("/orders/7");
		try {
			response.sendRedirect("/orders/8");
		}
		catch (IllegalStateException ex) {
			// Too late, as it should be.
		}
	}

}
