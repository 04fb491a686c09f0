package io.idempotent.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpEntity;
import org.springframework.util.FileCopyUtils;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.util.ContentCachingRequestWrapper;
import org.springframework.web.util.WebUtils;

/**
 * Handlers that say what they have read, one for each way of reading a request. Each
 * controller below takes its key from another source.
 */
@ApiIdempotent
abstract class Readings {

	static final List<String> WAYS = List.of("by/stream", "by/reader", "by/parameter", "by/values", "by/names",
			"by/map", "by/parts", "by/stream,map", "by/map,stream", "by/reader,map", "by/map,reader",
			"by/stream,reader", "by/parameter,parameter,stream", "by/context", "by/cached", "by/nothing", "string",
			"bytes", "fields", "input-stream", "input-reader", "entity", "parameters", "order", "part",
			"string-and-order", "order-and-string");

	/** The source of the key of each operation, for the configuration. */
	static Stream<String> sources() {
		return Stream.of("Token", "Content")
			.flatMap((source) -> Stream.of(Readings.class.getDeclaredMethods())
				.filter((method) -> method.isAnnotationPresent(RequestMapping.class))
				.map((method) -> "idempotent.operations[%s.%s].source=%s".formatted(source, method.getName(),
						source.toLowerCase(Locale.ROOT))));
	}

	@RequestMapping("/by/{ways}")
	String by(HttpServletRequest request, @PathVariable List<String> ways) throws IOException, ServletException {
		StringBuilder read = new StringBuilder();
		for (String way : ways) {
			read.append(way).append(": ").append(by(request, way)).append('\n');
		}
		return read.toString();
	}

	private static String by(HttpServletRequest request, String way) throws IOException, ServletException {
		return switch (way) {
			case "stream" -> text(request.getInputStream());
			case "context" ->
				text(((ServletRequestAttributes) Objects.requireNonNull(RequestContextHolder.getRequestAttributes()))
					.getRequest()
					.getInputStream());
			case "reader" -> FileCopyUtils.copyToString(request.getReader());
			case "parameter" -> request.getParameter("a") + request.getParameter("absent");
			case "values" -> Arrays.toString(request.getParameterValues("a"));
			case "names" -> Collections.list(request.getParameterNames()).toString();
			case "map" -> text(request.getParameterMap());
			case "parts" -> request.getParts().stream().map(Part::getName).toList().toString();
			case "cached" -> text(request.getInputStream()) + cached(request);
			default -> "";
		};
	}

	private static @Nullable String cached(HttpServletRequest request) {
		ContentCachingRequestWrapper cache = WebUtils.getNativeRequest(request, ContentCachingRequestWrapper.class);
		return (cache != null) ? text(cache.getContentAsByteArray()) : null;
	}

	@RequestMapping("/string")
	String string(@RequestBody String body) {
		return body;
	}

	@RequestMapping("/bytes")
	String bytes(@RequestBody byte[] body) {
		return text(body);
	}

	@RequestMapping("/fields")
	String fields(@RequestBody MultiValueMap<String, String> body) {
		return body.toString();
	}

	@RequestMapping("/input-stream")
	String inputStream(InputStream body) throws IOException {
		return text(body);
	}

	@RequestMapping("/input-reader")
	String inputReader(Reader body) throws IOException {
		return FileCopyUtils.copyToString(body);
	}

	@RequestMapping("/entity")
	String entity(HttpEntity<byte[]> entity) {
		byte[] body = entity.getBody();
		return (body != null) ? text(body) : "none";
	}

	@RequestMapping("/parameters")
	String parameters(@RequestParam MultiValueMap<String, String> parameters,
			@RequestParam(name = "a", required = false) List<String> a) {
		return parameters + " " + a;
	}

	@RequestMapping("/order")
	String order(@ModelAttribute Order order) {
		return order.toString();
	}

	@RequestMapping("/part")
	String part(@RequestPart("a") byte[] part) {
		return text(part);
	}

	@RequestMapping("/string-and-order")
	String stringAndOrder(@RequestBody String body, @ModelAttribute Order order) {
		return body + order;
	}

	@RequestMapping("/order-and-string")
	String orderAndString(@ModelAttribute Order order, @RequestBody String body) {
		return order + body;
	}

	private static String text(InputStream body) throws IOException {
		return text(body.readAllBytes()) + body.read();
	}

	private static String text(byte[] body) {
		return new String(body, StandardCharsets.ISO_8859_1);
	}

	private static String text(Map<String, String[]> parameters) {
		return new TreeMap<>(parameters).entrySet()
			.stream()
			.map((parameter) -> parameter.getKey() + "=" + Arrays.toString(parameter.getValue()))
			.collect(Collectors.joining("; "));
	}

	/**
	 * A form.
	 *
	 * @param a a field
	 * @param b another one
	 */
	record Order(@Nullable String a, @Nullable String b) {
	}

	@RestController
	@RequestMapping("/readings/header/{unique}")
	static class Header extends Readings {

	}

	@RestController
	@RequestMapping("/readings/token/{unique}")
	static class Token extends Readings {

	}

	@RestController
	@RequestMapping("/readings/content/{unique}")
	static class Content extends Readings {

	}

}
