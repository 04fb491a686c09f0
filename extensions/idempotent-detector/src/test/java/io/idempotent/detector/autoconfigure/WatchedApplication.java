package io.idempotent.detector.autoconfigure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

/**
 * An application whose endpoints are watched.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(WatchedApplication.Orders.class)
class WatchedApplication {

	@Bean
	CallerResolver callerResolver() {
		return (request) -> {
			String name = request.getHeader("X-User");
			if ("broken".equals(name)) {
				throw new IllegalStateException("This caller cannot be resolved");
			}
			return (name != null) ? Caller.named(name) : Caller.ANONYMOUS;
		};
	}

	/**
	 * Each path is an endpoint of its own for the detector.
	 */
	@RestController
	static class Orders {

		@PostMapping({ "/nodes", "/callers", "/content", "/keys", "/window", "/cost", "/sampled", "/down", "/large",
				"/copied", "/shapes", "/database", "/logged", "/memory" })
		String order(@RequestBody String order) {
			return order;
		}

		@PostMapping("/customers/{id}")
		String customer(@PathVariable String id) {
			return id;
		}

		@RequestMapping(path = "/safe", method = { RequestMethod.GET, RequestMethod.PUT, RequestMethod.DELETE })
		String safe() {
			return "";
		}

		@PatchMapping("/patched")
		String patch() {
			return "";
		}

		@RequestMapping("/any")
		String any() {
			return "";
		}

		@PostMapping("/failing")
		String fail(@RequestBody String order) {
			throw new ResponseStatusException(HttpStatus.valueOf(Integer.parseInt(order)));
		}

		@PostMapping("/broken")
		String breakDown() {
			throw new IllegalStateException("This fails for a test");
		}

		@PostMapping("/form")
		String form(@RequestParam List<String> tea) {
			return String.join(",", tea);
		}

		@PostMapping("/upload")
		String upload(@RequestParam MultipartFile file, @RequestParam String name) throws IOException {
			return name + new String(file.getBytes(), StandardCharsets.UTF_8);
		}

		@PostMapping("/reader")
		String read(HttpServletRequest request) throws IOException {
			try (BufferedReader reader = request.getReader()) {
				return reader.readLine();
			}
		}

		@PostMapping("/later")
		CompletableFuture<String> later(@RequestBody String order) {
			return CompletableFuture.supplyAsync(() -> order);
		}

		@PostMapping("/annotated")
		@ApiIdempotent(KeySource.HEADER)
		String annotated(@RequestBody String order) {
			return order;
		}

	}

}
