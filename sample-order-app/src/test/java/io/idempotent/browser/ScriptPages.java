package io.idempotent.browser;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.util.HtmlUtils;

/**
 * Forms that use the script, and operations that count their effects. Outside the package
 * that the shop scans.
 */
@Controller
public class ScriptPages {

	private static final String PAGE = """
			<!DOCTYPE html>
			<html lang="en"><head><title>Form</title><link rel="icon" href="data:,">%s
			<script src="/idempotent.js" defer data-patience="%s"></script>
			<script>
			const seen = [], hold = %s;
			for (const type of ["response", "error"]) {
				document.addEventListener("idempotent:" + type, (event) => {
					seen.push(event.detail.error ? "error" : event.detail.response.status + (event.detail.replayed ? " replayed" : ""));
					if (hold) event.preventDefault();
				});
			}
			</script></head>
			<body>%s<form id="form" method="post" action="%s" enctype="%s" data-idempotent>
			<input id="item" name="item" value="tea"><textarea id="note" name="note">two
			lines</textarea><input id="file" type="file" name="file">
			<button id="send" name="via" value="send">Send</button>%s</form></body></html>
			""";

	private final Queue<String> effects = new ConcurrentLinkedQueue<>();

	private final AtomicInteger calls = new AtomicInteger();

	/** Orders take effect, and are answered when it is open. */
	private volatile CountDownLatch answers = new CountDownLatch(0);

	/**
	 * Takes the effects since the last call.
	 * @return what was bought
	 */
	public List<String> takeEffects() {
		List<String> taken = List.copyOf(this.effects);
		this.effects.removeAll(taken);
		this.calls.set(0);
		return taken;
	}

	/**
	 * Whether there are effects since the last call of {@link #takeEffects}.
	 * @return whether there are
	 */
	public boolean hasEffects() {
		return !this.effects.isEmpty();
	}

	/**
	 * Leaves orders without an answer, after their effect, until {@link #answerOrders()}.
	 */
	public void holdOrders() {
		this.answers = new CountDownLatch(1);
	}

	public void answerOrders() {
		this.answers.countDown();
	}

	/**
	 * Forgets the effects and requests so far, and answers what is held.
	 */
	public void forget() {
		answerOrders();
		takeEffects();
	}

	/**
	 * Counts the requests to operations that refuse some, since the last call of
	 * {@link #takeEffects}.
	 * @return their number
	 */
	public int calls() {
		return this.calls.get();
	}

	@GetMapping(path = { "/script/form", "/script/secured/form", "/script/spa/form" },
			produces = MediaType.TEXT_HTML_VALUE)
	@ResponseBody
	String form(HttpServletRequest request, @RequestParam(defaultValue = "/script/orders") String action,
			@RequestParam(defaultValue = "application/x-www-form-urlencoded") String enctype,
			@RequestParam(defaultValue = "") String token, @RequestParam(defaultValue = "false") boolean hold,
			@RequestParam(defaultValue = "30") String patience, @RequestParam(defaultValue = "true") boolean meta,
			@RequestParam(defaultValue = "") String markup) {
		// A lost response must not take the session with it.
		request.getSession();
		String head = "";
		if (meta && request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken csrf) {
			head = meta("_csrf_header", csrf.getHeaderName()) + meta("_csrf", csrf.getToken());
		}
		String field = token.isEmpty() ? ""
				: "<input type=\"hidden\" name=\"_idempotentToken\" value=\"" + HtmlUtils.htmlEscape(token) + "\">";
		return PAGE.formatted(head, patience, hold, markup, HtmlUtils.htmlEscape(action), enctype, field);
	}

	/** The address of the form is that of its page. */
	@GetMapping("/script/shared")
	String shared(@RequestParam(defaultValue = "") String query, @RequestParam boolean script, Model model,
			HttpSession session) {
		model.addAttribute("action", "/script/shared" + query).addAttribute("script", script);
		return "shared";
	}

	@PostMapping("/script/shared")
	@ApiIdempotent
	String buy(@RequestParam String item, RedirectAttributes attributes) {
		this.effects.add(item);
		attributes.addFlashAttribute("bought", item);
		return "redirect:/script/done";
	}

	private static String meta(String name, String content) {
		return "<meta name=\"" + name + "\" content=\"" + HtmlUtils.htmlEscape(content) + "\">";
	}

	@PostMapping({ "/script/orders", "/script/secured/orders", "/script/spa/orders" })
	@ApiIdempotent
	String order(@RequestParam String item, @RequestParam String note, @RequestParam(required = false) String via,
			RedirectAttributes attributes) throws InterruptedException {
		this.effects.add(item);
		if (!this.answers.await(2, TimeUnit.MINUTES)) {
			throw new IllegalStateException("The test has ended without an answer");
		}
		attributes.addFlashAttribute("bought", item + " via " + via + " in " + note.lines().count() + " lines");
		return "redirect:/script/done";
	}

	@GetMapping(path = "/script/done", produces = MediaType.TEXT_HTML_VALUE)
	@ResponseBody
	String done(Model model) {
		return "<!DOCTYPE html><title>Done</title><h1>Bought: " + model.getAttribute("bought") + "</h1>";
	}

	@PostMapping("/script/open")
	@ApiIdempotent
	String open(@RequestParam String item) {
		return "redirect:" + item;
	}

	@PostMapping(path = "/script/page", produces = MediaType.TEXT_HTML_VALUE)
	@ApiIdempotent
	ResponseEntity<String> page(@RequestParam String item, @RequestParam String note) {
		this.calls.incrementAndGet();
		if (item.equals("bad")) {
			return ResponseEntity.unprocessableContent().body("<h1>Wrong</h1>");
		}
		this.effects.add(item);
		return ResponseEntity.ok("<h1>Page: " + item + ", " + note.length() + "</h1>");
	}

	@PostMapping(path = "/script/upload", produces = MediaType.TEXT_HTML_VALUE)
	@ApiIdempotent
	@ResponseBody
	String upload(@RequestParam MultipartFile file) throws IOException {
		this.effects.add(new String(file.getBytes(), StandardCharsets.UTF_8));
		return "<h1>Uploaded: " + file.getOriginalFilename() + "</h1>";
	}

	@PostMapping("/script/overloaded")
	@ApiIdempotent
	ResponseEntity<String> overloaded(@RequestParam String item) {
		if (this.calls.incrementAndGet() <= 2) {
			return ResponseEntity.status(503).header("Retry-After", "0").build();
		}
		this.effects.add(item);
		return ResponseEntity.ok("Bought");
	}

	@PostMapping("/script/conflict")
	@ApiIdempotent
	ResponseEntity<Map<String, String>> conflict() {
		this.calls.incrementAndGet();
		return ResponseEntity.status(409)
			.header("Retry-After", "0")
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.body(Map.of("code", "sold-out"));
	}

	@PostMapping("/script/away")
	ResponseEntity<Void> redirectAway(@RequestParam URI to) {
		return ResponseEntity.status(307).location(to).build();
	}

	/** Of any origin. */
	@PostMapping("/script/echo")
	@ResponseBody
	String echo(HttpServletRequest request) {
		boolean token = request.getParameter("_idempotentToken") != null
				|| request.getHeader("Idempotent-Token") != null;
		return token ? "with a token" : "without a token";
	}

	@PostMapping("/script/json")
	@ApiIdempotent(KeySource.HEADER)
	@ResponseBody
	Map<String, String> json(@RequestBody Map<String, String> order, @RequestHeader("Idempotency-Key") String key) {
		this.effects.add(order.get("item"));
		return Map.of("key", key);
	}

}
