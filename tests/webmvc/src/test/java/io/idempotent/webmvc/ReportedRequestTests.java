package io.idempotent.webmvc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.ResponseEntity;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.SessionAttributes;
import org.springframework.web.bind.support.SessionStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.ContentCachingRequestWrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications of public bug reports, with idempotent handler methods.
 */
class ReportedRequestTests {

	private static EmbeddedRedis redis;

	private static TestServer server;

	private final String key = UUID.randomUUID().toString();

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = TestServer.start(redis, Shop.class, "server.compression.enabled=true",
				"server.compression.min-response-size=1B", "spring.mvc.hiddenmethod.filter.enabled=true",
				"spring.mvc.problemdetails.enabled=true", "spring.mvc.servlet.path=/app");
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@Test
	void aBodyThatAFilterUnpacksIsOneSubmission() throws IOException {
		byte[] packed = gzip("{\"order\":7}");
		HttpResponse<byte[]> first = server.send(request("/echo").header("Content-Encoding", "gzip")
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofByteArray(packed)));
		HttpResponse<byte[]> repeat = server.send(request("/echo").header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"order\":7}")));
		assertThat(TestServer.text(first)).isEqualTo("{\"order\":7}");
		assertThat(TestServer.text(repeat)).isEqualTo("{\"order\":7}");
		assertThat(TestServer.isReplayed(repeat)).isTrue();
	}

	@Test
	void aCompressedResponseIsReplayedForAClientWithoutCompression() throws IOException {
		HttpResponse<byte[]> first = server.send(request("/echo").header("Accept-Encoding", "gzip")
			.header("Content-Type", "text/plain")
			.POST(BodyPublishers.ofString("order 7")));
		HttpResponse<byte[]> plain = server
			.send(request("/echo").header("Content-Type", "text/plain").POST(BodyPublishers.ofString("order 7")));
		HttpResponse<byte[]> packed = server.send(request("/echo").header("Accept-Encoding", "gzip")
			.header("Content-Type", "text/plain")
			.POST(BodyPublishers.ofString("order 7")));
		assertThat(TestServer.header(first, "Content-Encoding")).isEqualTo("gzip");
		assertThat(TestServer.text(plain)).isEqualTo("order 7");
		assertThat(TestServer.header(plain, "Content-Encoding")).isEmpty();
		assertThat(TestServer.isReplayed(packed)).isTrue();
		assertThat(new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes())
			.isEqualTo("order 7".getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void aFormWithAHiddenMethodIsOneSubmission() {
		for (int i = 0; i < 2; i++) {
			HttpResponse<byte[]> response = form("/hidden", "_method=put&order=7");
			assertThat(TestServer.text(response)).isEqualTo("put 7");
			assertThat(TestServer.isReplayed(response)).isEqualTo(i == 1);
		}
	}

	@Test
	void aHandlerOfEveryExceptionDoesNotAnswerRefusals() {
		HttpResponse<byte[]> response = server.send(server.request("/app/echo").POST(BodyPublishers.noBody()));
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.code(response)).isEqualTo("key-missing");
	}

	@Test
	void anExceptionThatIsAnsweredWithStatus200ReleasesTheKey() {
		assertThat(TestServer.text(form("/fails", "order=7"))).contains("\"code\":500").contains("run 1");
		assertThat(TestServer.text(form("/fails", "order=7"))).contains("run 2");
	}

	@Test
	void interceptorsAreCompletedAfterReplaysAndRefusals() {
		form("/echo", "order=7");
		form("/echo", "order=7");
		form("/echo", "order=8");
		await().until(() -> Shop.completed.getOrDefault(this.key, 0) == 3);
	}

	@Test
	void aPreflightRequestNeedsNoKey() {
		HttpResponse<byte[]> response = server.send(server.request("/app/echo")
			.header("Origin", "https://shop.example")
			.header("Access-Control-Request-Method", "POST")
			.header("Access-Control-Request-Headers", "idempotency-key")
			.method("OPTIONS", BodyPublishers.noBody()));
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(TestServer.header(response, "Access-Control-Allow-Headers"))
			.isEqualToIgnoringCase("idempotency-key");
	}

	@Test
	void aFormWhoseSessionAttributesAreGoneIsReplayed() {
		HttpResponse<byte[]> page = server.send(server.request("/app/wizard"));
		String cookie = TestServer.header(page, "Set-Cookie").split(";", 2)[0];
		HttpResponse<byte[]> first = server
			.send(request("/wizard").header("Cookie", cookie).POST(BodyPublishers.noBody()));
		HttpResponse<byte[]> repeat = server
			.send(request("/wizard").header("Cookie", cookie).POST(BodyPublishers.noBody()));
		assertThat(TestServer.text(first)).isEqualTo("ordered draft");
		assertThat(TestServer.text(repeat)).isEqualTo("ordered draft");
	}

	@Test
	void aFilterThatLogsBodiesSeesThatOfAReplay() {
		String body = "order=" + this.key;
		form("/echo", body);
		form("/echo", body);
		await().until(() -> Shop.logged.stream().filter(body::equals).count() == 2);
	}

	@Test
	void aSignatureOverTheRawBodyIsVerifiedInEachDelivery() throws Exception {
		String event = "{ \"id\" : \"" + this.key
				+ "\",\r\n\t\"name\":\"\\u00e9\u00e9\", \"amount\": 1.00 , \"pending\": 1 }";
		for (int i = 0; i < 2; i++) {
			HttpResponse<byte[]> response = server.send(server.request("/app/stripe")
				.header("Content-Type", "application/json; charset=utf-8")
				.header("Stripe-Signature", sign(event))
				.POST(BodyPublishers.ofString(event)));
			assertThat(TestServer.text(response)).isEqualTo("received 1");
			event = event.replace("\"pending\": 1", "\"pending\": 0");
		}
	}

	@Test
	void aRepeatedCallbackGetsTheLiteralTextSuccess() {
		for (int i = 0; i < 2; i++) {
			HttpResponse<byte[]> response = server.send(server.request("/app/alipay")
				.header("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
				.POST(BodyPublishers.ofString(
						"notify_id=" + this.key + "&sign=" + i + "&notify_time=" + i + "&trade_status=TRADE_SUCCESS")));
			assertThat(TestServer.text(response)).isEqualTo("success");
		}
	}

	@Test
	void aCallbackThatAnsweredFailRunsAgain() {
		List<String> answers = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 3; i++) {
			answers.add(TestServer.text(server.send(server.request("/app/alipay")
				.header("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
				.POST(BodyPublishers
					.ofString("notify_id=" + this.key + "&trade_status=" + ((i == 0) ? "WAIT" : "TRADE_SUCCESS"))))));
		}
		assertThat(answers).containsExactly("fail", "success", "success");
	}

	@Test
	void aKeyThatAProxySendsTwiceIsRefused() {
		HttpResponse<byte[]> twice = server.send(request("/echo").header("Idempotency-Key", this.key)
			.header("Content-Type", "text/plain")
			.POST(BodyPublishers.ofString("a")));
		assertThat(TestServer.code(twice)).isEqualTo("key-malformed");
		HttpResponse<byte[]> joined = server.send(server.request("/app/echo")
			.header("Idempotency-Key", this.key + ", " + this.key)
			.header("Content-Type", "text/plain")
			.POST(BodyPublishers.ofString("a")));
		assertThat(TestServer.code(joined)).isEqualTo("key-malformed");
	}

	private HttpRequest.Builder request(String path) {
		return server.request("/app" + path).header("Idempotency-Key", this.key);
	}

	private HttpResponse<byte[]> form(String path, String content) {
		return server.send(request(path).header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(content)));
	}

	private static byte[] gzip(String text) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
			out.write(text.getBytes(StandardCharsets.UTF_8));
		}
		return bytes.toByteArray();
	}

	private static String sign(String body) throws Exception {
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec("secret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
		return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
	}

	@RestController
	@SessionAttributes("draft")
	static class Shop implements WebMvcConfigurer {

		static final Map<String, Integer> completed = new ConcurrentHashMap<>();

		static final List<String> logged = new CopyOnWriteArrayList<>();

		static final AtomicInteger runs = new AtomicInteger();

		private final IdempotencyTemplate template;

		Shop(IdempotencyTemplate template) {
			this.template = template;
		}

		@PostMapping("/echo")
		@ApiIdempotent(KeySource.HEADER)
		@CrossOrigin("https://shop.example")
		String echo(@RequestBody(required = false) String body) {
			return body;
		}

		@PutMapping("/hidden")
		@ApiIdempotent(KeySource.HEADER)
		String hidden(@RequestParam int order) {
			return "put " + order;
		}

		@PostMapping("/fails")
		@ApiIdempotent(KeySource.HEADER)
		String fails() {
			throw new IllegalStateException("run " + runs.incrementAndGet());
		}

		@ExceptionHandler(Exception.class)
		ResponseEntity<Map<String, Object>> all(Exception ex) {
			return ResponseEntity.ok(Map.of("code", 500, "msg", String.valueOf(ex.getMessage())));
		}

		@GetMapping("/wizard")
		String wizard(Model model, HttpSession session) {
			model.addAttribute("draft", "draft");
			return "page";
		}

		@PostMapping("/wizard")
		@ApiIdempotent(KeySource.HEADER)
		String order(@ModelAttribute("draft") String draft, SessionStatus status) {
			status.setComplete();
			return "ordered " + draft;
		}

		@PostMapping("/stripe")
		String stripe(@RequestBody String body, @RequestHeader("Stripe-Signature") String signature) throws Exception {
			String id = body.split("\"", 5)[3];
			return !sign(body).equals(signature) ? "bad signature"
					: this.template.execute("stripe", id, String.class, (context) -> "received " + context.attempt());
		}

		@PostMapping("/alipay")
		@ApiIdempotent(name = "alipay", key = "#notification['notify_id']", ignoredFields = { "notify_time", "sign" })
		String alipay(@RequestParam Map<String, String> notification) {
			return notification.get("trade_status").equals("TRADE_SUCCESS") ? "success" : "fail";
		}

		@Bean
		static OutcomeClassifier failures() {
			return (operation, response) -> {
				byte[] body = response.body();
				return (operation.equals("alipay") && body != null
						&& new String(body, StandardCharsets.UTF_8).equals("fail"))
								? OutcomeClassifier.OutcomeClass.NO_EFFECT : null;
			};
		}

		@Override
		public void addInterceptors(InterceptorRegistry registry) {
			registry.addInterceptor(new HandlerInterceptor() {

				@Override
				public void afterCompletion(HttpServletRequest request, HttpServletResponse response, Object handler,
						@Nullable Exception ex) {
					String key = request.getHeader("Idempotency-Key");
					if (key != null) {
						completed.merge(key, 1, Integer::sum);
					}
				}

			});
		}

		@Bean
		static FilterRegistrationBean<Filter> unpacking() {
			return registration(new OncePerRequestFilter() {

				@Override
				protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response,
						FilterChain chain) throws ServletException, IOException {
					boolean packed = "gzip".equals(request.getHeader("Content-Encoding"));
					chain.doFilter(packed ? new Unpacked(request) : request, response);
				}

			}, "unpacking", 0);
		}

		@Bean
		static FilterRegistrationBean<Filter> logging() {
			return registration(new OncePerRequestFilter() {

				@Override
				protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response,
						FilterChain chain) throws ServletException, IOException {
					ContentCachingRequestWrapper cached = new ContentCachingRequestWrapper(request, 0);
					chain.doFilter(cached, response);
					logged.add(cached.getContentAsString());
				}

			}, "logging", Ordered.HIGHEST_PRECEDENCE);
		}

		private static FilterRegistrationBean<Filter> registration(Filter filter, String name, int order) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
			registration.setName(name);
			registration.setOrder(order);
			return registration;
		}

	}

	private static final class Unpacked extends HttpServletRequestWrapper {

		Unpacked(HttpServletRequest request) {
			super(request);
		}

		@Override
		public ServletInputStream getInputStream() throws IOException {
			InputStream unpacked = new GZIPInputStream(super.getInputStream());
			return new ServletInputStream() {

				@Override
				public int read() throws IOException {
					return unpacked.read();
				}

				@Override
				public int read(byte[] bytes, int offset, int length) throws IOException {
					return unpacked.read(bytes, offset, length);
				}

				@Override
				public boolean isFinished() {
					return false;
				}

				@Override
				public boolean isReady() {
					return true;
				}

				@Override
				public void setReadListener(ReadListener listener) {
					throw new UnsupportedOperationException();
				}

			};
		}

	}

}
