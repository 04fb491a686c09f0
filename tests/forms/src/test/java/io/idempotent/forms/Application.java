package io.idempotent.forms;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.savedrequest.HttpSessionRequestCache;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with pages and the handler methods that their forms are sent to.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ Application.Pages.class, Application.Orders.class })
class Application {

	/** Pages below /open have no filter chain, as in an application without Security. */
	@Bean
	SecurityFilterChain securityFilterChain(HttpSecurity http) {
		return http.securityMatcher((request) -> !isOpen(request))
			.authorizeHttpRequests(
					(requests) -> requests.requestMatchers("/member/orders").authenticated().anyRequest().permitAll())
			.formLogin(Customizer.withDefaults())
			// Keeps the entries of a form that is sent before the login; by default only
			// GET
			// requests are kept.
			.requestCache((cache) -> cache.requestCache(new HttpSessionRequestCache()))
			.build();
	}

	/** A JSP is a forward to another path. */
	private static boolean isOpen(HttpServletRequest request) {
		Object page = request.getAttribute(RequestDispatcher.FORWARD_SERVLET_PATH);
		return ((page != null) ? page.toString() : request.getServletPath()).startsWith("/open");
	}

	/**
	 * Only finds users. A manager would encode their passwords, to be compared slowly.
	 */
	@Bean
	UserDetailsService users() {
		InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(
				User.withUsername("ann").password("{noop}secret").roles().build());
		return (name) -> users.loadUserByUsername(name);
	}

	@Controller
	static class Pages {

		@GetMapping({ "/pages/{engine}/{page}", "/open/{engine}/{page}" })
		String page(@PathVariable String engine, @PathVariable String page, HttpServletRequest request, Model model,
				@RequestParam(defaultValue = "") String cache, @RequestParam(defaultValue = "") String expires,
				@RequestParam(defaultValue = "") String cdn, HttpServletResponse response) {
			if (!cache.isEmpty()) {
				response.setHeader("Cache-Control", cache);
			}
			if (!cdn.isEmpty()) {
				response.setHeader("CDN-Cache-Control", cdn);
				response.setHeader("Surrogate-Control", cdn);
			}
			if (!expires.isEmpty()) {
				response.setHeader("Expires", expires);
			}
			String root = request.getRequestURL().toString().replaceAll("/(pages|open)/.*", "");
			model.addAttribute("root", root);
			model.addAttribute("rows", IntStream.range(0, 70).boxed().toList());
			model.addAttribute("order", new Order());
			return engine + "/" + page;
		}

		@PostMapping({ "/pages/{engine}/all", "/pages/{engine}/plain" })
		@ApiIdempotent(name = "same-page")
		String submitted(@PathVariable String engine, @RequestParam(defaultValue = "200") int error,
				@RequestParam(defaultValue = "") String name, HttpServletRequest request, Model model,
				HttpServletResponse response) {
			if (!name.equals("wrong")) {
				return "redirect:/pages/" + engine + "/all";
			}
			response.setStatus(error);
			return page(engine, "all", request, model, "", "", "", response);
		}

	}

	@RestController
	static class Orders {

		final AtomicInteger runs = new AtomicInteger();

		@PostMapping({ "/orders", "/open/orders" })
		@ApiIdempotent(name = "create")
		String create(@RequestParam(defaultValue = "") List<String> name,
				@RequestParam(defaultValue = "") String password) {
			return "created " + this.runs.incrementAndGet() + " " + name + " " + password;
		}

		@PostMapping("/member/orders")
		@ApiIdempotent(name = "member")
		String member(@RequestParam String name) {
			return "member " + this.runs.incrementAndGet() + " " + name;
		}

		@PostMapping("/orders/{id}")
		@ApiIdempotent(name = "correct")
		String correct(@PathVariable String id) {
			return "corrected " + id;
		}

		@PutMapping("/orders/{id}")
		@ApiIdempotent(name = "edit")
		String edit(@PathVariable String id) {
			return "edited " + id + " " + this.runs.incrementAndGet();
		}

		@DeleteMapping("/orders/{id}")
		@ApiIdempotent(name = "delete")
		String delete(@PathVariable String id) {
			return "deleted " + id + " " + this.runs.incrementAndGet();
		}

		@DeleteMapping("/baskets/{id}")
		@ApiIdempotent(name = "empty")
		String empty(@PathVariable String id) {
			return "emptied " + id;
		}

		@PostMapping("/orders/search")
		String search() {
			return "found";
		}

		@PostMapping("/payments")
		@ApiIdempotent(KeySource.HEADER)
		String pay() {
			return "paid";
		}

		@PostMapping(path = "/json", consumes = MediaType.APPLICATION_JSON_VALUE)
		@ApiIdempotent(name = "json")
		String json() {
			return "created";
		}

		@PostMapping(path = "/cart", params = "add")
		@ApiIdempotent(name = "add")
		String add() {
			return "added";
		}

		@PostMapping(path = "/cart", params = "clear")
		@ResponseBody
		String clear() {
			return "cleared";
		}

		@PostMapping(path = "/step", params = "one")
		@ApiIdempotent(name = "one")
		String one() {
			return "one";
		}

		@PostMapping(path = "/step", params = "two")
		@ApiIdempotent(name = "two")
		String two() {
			return "two";
		}

		@ModelAttribute("order")
		Order order() {
			return new Order();
		}

	}

	/**
	 * What the forms of Spring's JSP tags are bound to.
	 */
	public static class Order {

		private String name = "tea";

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

	}

}
