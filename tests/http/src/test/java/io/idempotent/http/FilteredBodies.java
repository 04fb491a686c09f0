package io.idempotent.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.MultipartHttpServletRequest;
import org.springframework.web.util.ContentCachingRequestWrapper;
import org.springframework.web.util.WebUtils;

/**
 * Handlers behind filters that read the body, in front of the idempotency filter and
 * behind it.
 */
@RestController
@RequestMapping("/filtered-bodies")
class FilteredBodies {

	static final String IN_FRONT = "X-Filter-In-Front";

	static final String BEHIND = "X-Filter-Behind";

	@Bean
	static FilterRegistrationBean<BodyFilter> bodyFilterInFront() {
		return filter(IN_FRONT, -60);
	}

	@Bean
	static FilterRegistrationBean<BodyFilter> bodyFilterBehind() {
		return filter(BEHIND, 1000);
	}

	private static FilterRegistrationBean<BodyFilter> filter(String header, int order) {
		FilterRegistrationBean<BodyFilter> registration = new FilterRegistrationBean<>(new BodyFilter(header));
		registration.setName(header);
		registration.addUrlPatterns("/filtered-bodies/*", "/readings/*");
		registration.setOrder(order);
		return registration;
	}

	@PostMapping("/token/{how}")
	@ApiIdempotent(KeySource.TOKEN)
	String token(HttpServletRequest request, HttpServletResponse response, @PathVariable String how)
			throws IOException {
		return read(request, response, how);
	}

	@PostMapping("/header/{how}")
	@ApiIdempotent(KeySource.HEADER)
	String header(HttpServletRequest request, HttpServletResponse response, @PathVariable String how)
			throws IOException {
		return read(request, response, how);
	}

	@PostMapping("/content/{how}")
	@ApiIdempotent(KeySource.CONTENT)
	String content(HttpServletRequest request, HttpServletResponse response, @PathVariable String how)
			throws IOException {
		return read(request, response, how);
	}

	@PostMapping("/header/converted")
	@ApiIdempotent(KeySource.HEADER)
	String converted(@RequestBody String body) {
		return body;
	}

	@PostMapping("/header/callable")
	@ApiIdempotent(KeySource.HEADER)
	Callable<String> callable(HttpServletRequest request) {
		return () -> read(request, "stream");
	}

	private static String read(HttpServletRequest request, HttpServletResponse response, String how)
			throws IOException {
		String read = read(request, how);
		noteWhatTheFiltersSaw(request, response);
		return read;
	}

	private static String read(HttpServletRequest request, String how) throws IOException {
		return switch (how) {
			case "reader" -> request.getReader().lines().collect(Collectors.joining());
			case "form" -> String.valueOf(request.getParameter("n"));
			case "part" -> new String(part(request), StandardCharsets.UTF_8);
			case "file" -> new String(file(request).getBytes(), StandardCharsets.UTF_8);
			default -> new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		};
	}

	private static byte[] part(HttpServletRequest request) throws IOException {
		try {
			return request.getPart("n").getInputStream().readAllBytes();
		}
		catch (ServletException ex) {
			throw new IOException(ex);
		}
	}

	private static MultipartFile file(HttpServletRequest request) {
		MultipartHttpServletRequest resolved = WebUtils.getNativeRequest(request, MultipartHttpServletRequest.class);
		return Objects.requireNonNull(Objects.requireNonNull(resolved).getFile("file"));
	}

	/**
	 * Each filter sees the body pass by once. Not for a callable: filters write headers
	 * while it runs, and no container lets two threads do so.
	 */
	private static void noteWhatTheFiltersSaw(HttpServletRequest request, HttpServletResponse response) {
		BodyWrappers.Logging logging = WebUtils.getNativeRequest(request, BodyWrappers.Logging.class);
		if (logging != null) {
			response.setIntHeader("X-Logged", logging.logged());
		}
		ContentCachingRequestWrapper caching = WebUtils.getNativeRequest(request, ContentCachingRequestWrapper.class);
		if (caching != null) {
			response.setIntHeader("X-Cached", caching.getContentAsByteArray().length);
		}
	}

}
