package io.idempotent.http;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.servlet.view.RedirectView;

/**
 * Views, forwards, includes and redirects.
 */
@Controller
@RequestMapping("/views")
class Views {

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
				Twin.of("a forward by the dispatcher", Request.post("/views/forward-by-hand")),
				Twin.of("a forward that drops what was written", Request.post("/views/forward-late")),
				Twin.of("a forward from a writer to a stream", Request.post("/views/forward-to-stream")),
				Twin.of("a forward and what is written after it, too late", Request.post("/views/forward-early")),
				Twin.of("a forward by the context", Request.post("/views/forward-from-context")),
				Twin.of("a forward to a redirect", Request.post("/views/forward-to-redirect")),
				Twin.of("an include of a redirect, which counts for nothing", Request.post("/views/include-redirect")),
				Twin.of("a forward to where nothing is", Request.post("/views/forward-to-nowhere"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("an include of a servlet", Request.post("/views/include")),
				Twin.of("an include between two writes", Request.post("/views/include-between")),
				Twin.of("a redirect", Request.post("/views/redirect")),
				Twin.of("a redirect with attributes", Request.post("/views/redirect-with-attributes")),
				Twin.of("a redirect with flash attributes", Request.post("/views/flash")),
				Twin.of("a permanent redirect", Request.post("/views/permanent")),
				Twin.of("a redirect to another host", Request.post("/views/elsewhere")),
				Twin.of("a redirect of HTTP/1.0", Request.post("/views/redirect").version("HTTP/1.0")).inHttp1Only());
	}

	@PostMapping("/named")
	@ApiIdempotent
	String named(Model model) {
		model.addAttribute("order", 7);
		return "page";
	}

	@PostMapping("/with-status")
	@ApiIdempotent
	ModelAndView withStatus() {
		return new ModelAndView("page", Map.of("order", 8), HttpStatus.ACCEPTED);
	}

	@PostMapping("/own")
	@ApiIdempotent
	View own() {
		return (model, request, response) -> {
			response.setContentType("text/html;charset=UTF-8");
			response.getWriter().write("<p>Grüße</p>");
		};
	}

	@PostMapping("/fails")
	@ApiIdempotent
	View fails() {
		return (model, request, response) -> {
			response.getWriter().write("<p>half");
			throw new IllegalStateException("no such variable");
		};
	}

	@PostMapping("/forward-to-handler")
	@ApiIdempotent
	String forwardToHandler() {
		return "forward:/views/target";
	}

	@PostMapping("/forward-to-idempotent")
	@ApiIdempotent
	String forwardToIdempotent() {
		return "forward:/entities/headers";
	}

	@PostMapping("/forward-to-page")
	@ApiIdempotent
	String forwardToPage() {
		return "forward:/pages/whole";
	}

	@PostMapping("/forward-by-hand")
	@ApiIdempotent
	void forwardByHand(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		response.setHeader("X-Order-Id", "7");
		request.getRequestDispatcher("/pages/whole").forward(request, response);
	}

	@PostMapping("/forward-late")
	@ApiIdempotent
	void forwardLate(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		response.getWriter().write("dropped by the forward");
		request.getRequestDispatcher("/pages/whole").forward(request, response);
	}

	@PostMapping("/forward-early")
	@ApiIdempotent
	void forwardEarly(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		request.getRequestDispatcher("/pages/whole").forward(request, response);
		response.setHeader("X-Late", "yes");
		response.getWriter().write("late");
	}

	@PostMapping("/forward-from-context")
	@ApiIdempotent
	void forwardFromContext(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		request.getServletContext().getRequestDispatcher("/pages/whole").forward(request, response);
	}

	@PostMapping("/forward-to-redirect")
	@ApiIdempotent
	void forwardToRedirect(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		request.getRequestDispatcher("/pages/moved").forward(request, response);
	}

	@PostMapping("/include-redirect")
	@ApiIdempotent
	void includeRedirect(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		response.getWriter().write("before ");
		request.getRequestDispatcher("/pages/moved").include(request, response);
		response.getWriter().write(" after");
	}

	@PostMapping("/forward-to-stream")
	@ApiIdempotent
	void forwardToStream(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		response.getWriter().write("dropped by the forward");
		request.getRequestDispatcher("/pages/stream").forward(request, response);
	}

	@PostMapping("/forward-to-nowhere")
	@ApiIdempotent
	String forwardToNowhere() {
		return "forward:/views/nowhere";
	}

	@PostMapping("/include")
	@ApiIdempotent
	void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		request.getRequestDispatcher("/pages/part").include(request, response);
	}

	@PostMapping("/include-between")
	@ApiIdempotent
	void includeBetween(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		response.setContentType("text/html;charset=UTF-8");
		response.getWriter().write("<body>");
		request.getRequestDispatcher("/pages/part").include(request, response);
		response.getWriter().write("</body>");
	}

	@PostMapping("/redirect")
	@ApiIdempotent
	String redirect() {
		return "redirect:/orders/7";
	}

	@PostMapping("/redirect-with-attributes")
	@ApiIdempotent
	String redirectWithAttributes(RedirectAttributes attributes) {
		attributes.addAttribute("paid", "für später");
		return "redirect:/orders/7";
	}

	@PostMapping("/flash")
	@ApiIdempotent
	String flash(RedirectAttributes attributes) {
		attributes.addFlashAttribute("paid", true);
		return "redirect:/orders/7";
	}

	@PostMapping("/permanent")
	@ApiIdempotent
	RedirectView permanent() {
		RedirectView view = new RedirectView("/orders/7", true);
		view.setStatusCode(HttpStatus.PERMANENT_REDIRECT);
		return view;
	}

	@PostMapping("/elsewhere")
	@ApiIdempotent
	String elsewhere() {
		return "redirect:https://bank.example/pay?order=7";
	}

	@PostMapping("/target")
	@ResponseBody
	String postedTarget() {
		return "posted on";
	}

	@GetMapping("/target")
	@ResponseBody
	String target() {
		return "the target";
	}

}
