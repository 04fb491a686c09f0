package io.idempotent.sample.checkout;

import io.idempotent.ApiIdempotent;
import io.idempotent.sample.order.NewOrder;
import io.idempotent.sample.order.OrderService;
import io.idempotent.sample.order.PurchaseOrder;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;

import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Takes each order once. The token of the form comes by itself: nothing here or in the
 * template names it. The second click of a double click waits, and gets the response to
 * the first.
 */
@Controller
@RequestMapping("/checkout")
class CheckoutController {

	private static final String FORM = "checkout";

	private final OrderService orders;

	CheckoutController(OrderService orders) {
		this.orders = orders;
	}

	@GetMapping
	String form(Model model, HttpServletResponse response) {
		return form(model, "/checkout", response);
	}

	/**
	 * A form that everybody can fill in, and that only a known customer can send.
	 */
	@GetMapping("/account")
	String accountForm(Model model, HttpServletResponse response) {
		return form(model, "/checkout/account", response);
	}

	private static String form(Model model, String action, HttpServletResponse response) {
		// Instead of Spring Security's no-store: the Back button shows the form with its
		// token, so that sending it again is a repeat.
		response.setHeader(HttpHeaders.CACHE_CONTROL, "private, no-cache");
		model.addAttribute("order", new NewOrder("alice", "green-tea", 1));
		model.addAttribute("action", action);
		return FORM;
	}

	@PostMapping
	@ApiIdempotent
	String order(@Valid @ModelAttribute("order") NewOrder order, BindingResult errors, Model model,
			HttpServletResponse response) {
		return place(order, errors, model, "/checkout", response);
	}

	@PostMapping("/account")
	@ApiIdempotent
	String orderOnAccount(@Valid @ModelAttribute("order") NewOrder order, BindingResult errors, Model model,
			HttpServletResponse response) {
		return place(order, errors, model, "/checkout/account", response);
	}

	private String place(NewOrder order, BindingResult errors, Model model, String action,
			HttpServletResponse response) {
		if (errors.hasErrors()) {
			// Not 200: nothing was ordered, and the corrected form may be sent.
			response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
			model.addAttribute("action", action);
			return FORM;
		}
		PurchaseOrder placed = this.orders.place(order);
		return "redirect:/checkout/orders/" + placed.id();
	}

	@GetMapping("/orders/{id}")
	String placed(@PathVariable long id, Model model) {
		model.addAttribute("order", this.orders.get(id));
		return "placed";
	}

}
