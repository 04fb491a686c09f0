package io.idempotent.http;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.servlet.view.RedirectView;

/**
 * Views, forwards, includes and redirects.
 */
@Controller
@RequestMapping("/views")
@ApiIdempotent
class Views {

	private static final Map<String, String> NAMES = Map.of("forward-to-handler", "forward:/untouched/text",
			"forward-to-idempotent", "forward:/entities/headers", "forward-to-page", "forward:/pages/whole",
			"forward-to-nowhere", "forward:/views/no/where", "redirect", "redirect:/orders/7", "elsewhere",
			"redirect:https://bank.example/pay?order=7");

	private static final Map<String, Dispatch> DISPATCHES = dispatches();

	static List<Twin> twins() {
		return List.of(Twin.of("a view by its name", Request.post("/views/named")),
				Twin.of("a view and a status", Request.post("/views/with-status")),
				Twin.of("a view of its own", Request.post("/views/own")),
				Twin.of("a view that fails halfway", Request.post("/views/fails"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a forward to a handler", Request.post("/views/forward-to-handler")),
				Twin.of("a forward to another idempotent handler", Request.post("/views/forward-to-idempotent")),
				Twin.of("a forward from an ordinary handler to an idempotent one", Request.post("/next/forward-on")),
				Twin.of("a forward to a servlet, as to a JSP", Request.post("/views/forward-to-page")),
				Twin.of("a forward by the dispatcher", Request.post("/views/by-hand/forward")),
				Twin.of("a forward that drops what was written", Request.post("/views/by-hand/forward-late")),
				Twin.of("a forward from a writer to a stream", Request.post("/views/by-hand/forward-to-stream")),
				Twin.of("a forward and what is written after it, too late",
						Request.post("/views/by-hand/forward-early")),
				Twin.of("a forward by the context", Request.post("/views/by-hand/forward-from-context")),
				Twin.of("a forward to a redirect", Request.post("/views/by-hand/forward-to-redirect")),
				Twin.of("an include of a redirect, which counts for nothing",
						Request.post("/views/by-hand/include-redirect")),
				Twin.of("a forward to where nothing is", Request.post("/views/forward-to-nowhere"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("an include of a servlet", Request.post("/views/by-hand/include")),
				Twin.of("an include between two writes", Request.post("/views/by-hand/include-between")),
				Twin.of("a redirect", Request.post("/views/redirect")),
				Twin.of("a redirect with attributes", Request.post("/views/redirect-with-attributes")),
				Twin.of("a redirect with flash attributes", Request.post("/views/flash")),
				Twin.of("a permanent redirect", Request.post("/views/permanent")),
				Twin.of("a redirect to another host", Request.post("/views/elsewhere")),
				Twin.of("a redirect of HTTP/1.0", Request.post("/views/redirect").version("HTTP/1.0")).inHttp1Only());
	}

	private static Map<String, Dispatch> dispatches() {
		Map<String, Dispatch> dispatches = new HashMap<>();
		dispatches.put("forward", (request, response) -> {
			response.setHeader("X-Order-Id", "7");
			request.getRequestDispatcher("/pages/whole").forward(request, response);
		});
		dispatches.put("forward-late", (request, response) -> {
			response.getWriter().write("dropped by the forward");
			request.getRequestDispatcher("/pages/whole").forward(request, response);
		});
		dispatches.put("forward-early", (request, response) -> {
			request.getRequestDispatcher("/pages/whole").forward(request, response);
			response.setHeader("X-Late", "yes");
			response.getWriter().write("late");
		});
		dispatches.put("forward-from-context",
				(request, response) -> request.getServletContext()
					.getRequestDispatcher("/pages/whole")
					.forward(request, response));
		dispatches.put("forward-to-redirect",
				(request, response) -> request.getRequestDispatcher("/pages/moved").forward(request, response));
		dispatches.put("forward-to-stream", (request, response) -> {
			response.getWriter().write("dropped by the forward");
			request.getRequestDispatcher("/pages/stream").forward(request, response);
		});
		dispatches.put("include",
				(request, response) -> request.getRequestDispatcher("/pages/part").include(request, response));
		dispatches.put("include-between", (request, response) -> {
			response.setContentType("text/html;charset=UTF-8");
			response.getWriter().write("<body>");
			request.getRequestDispatcher("/pages/part").include(request, response);
			response.getWriter().write("</body>");
		});
		dispatches.put("include-redirect", (request, response) -> {
			response.getWriter().write("before ");
			request.getRequestDispatcher("/pages/moved").include(request, response);
			response.getWriter().write(" after");
		});
		return dispatches;
	}

	@PostMapping("/{way}")
	String name(@PathVariable("way") String way) {
		return NAMES.get(way);
	}

	@PostMapping("/by-hand/{way}")
	void byHand(@PathVariable("way") String way, HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		DISPATCHES.get(way).to(request, response);
	}

	@PostMapping("/named")
	String named(Model model) {
		model.addAttribute("order", 7);
		return "page";
	}

	@PostMapping("/with-status")
	ModelAndView withStatus() {
		return new ModelAndView("page", Map.of("order", 8), HttpStatus.ACCEPTED);
	}

	@PostMapping("/own")
	View own() {
		return (model, request, response) -> {
			response.setContentType("text/html;charset=UTF-8");
			response.getWriter().write("<p>Grüße</p>");
		};
	}

	@PostMapping("/fails")
	View fails() {
		return (model, request, response) -> {
			response.getWriter().write("<p>half");
			throw new IllegalStateException("no such variable");
		};
	}

	@PostMapping("/redirect-with-attributes")
	String redirectWithAttributes(RedirectAttributes attributes) {
		attributes.addAttribute("paid", "für später");
		return "redirect:/orders/7";
	}

	@PostMapping("/flash")
	String flash(RedirectAttributes attributes) {
		attributes.addFlashAttribute("paid", true);
		return "redirect:/orders/7";
	}

	@PostMapping("/permanent")
	RedirectView permanent() {
		RedirectView view = new RedirectView("/orders/7", true);
		view.setStatusCode(HttpStatus.PERMANENT_REDIRECT);
		return view;
	}

	@FunctionalInterface
	private interface Dispatch {

		void to(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException;

	}

}
