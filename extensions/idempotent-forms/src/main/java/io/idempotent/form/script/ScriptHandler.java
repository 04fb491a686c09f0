package io.idempotent.form.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.CacheControl;
import org.springframework.util.DigestUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.servlet.support.WebContentGenerator;

/** Serves the script: revalidated each time, or cached for a year with {@code ?v=1}. */
final class ScriptHandler extends WebContentGenerator implements HttpRequestHandler {

	private static final String VERSION = "v=";

	private static final CacheControl VERSIONED = CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

	private final byte[] script;

	private final String etag;

	ScriptHandler(String script) {
		super(METHOD_GET, METHOD_HEAD);
		this.script = script.getBytes(StandardCharsets.UTF_8);
		this.etag = '"' + DigestUtils.md5DigestAsHex(this.script) + '"';
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		checkRequest(request);
		applyCacheControl(response, isVersioned(request.getQueryString()) ? VERSIONED : CacheControl.noCache());
		response.setHeader("X-Content-Type-Options", "nosniff");
		if (new ServletWebRequest(request, response).checkNotModified(this.etag)) {
			return;
		}
		response.setContentType("text/javascript;charset=UTF-8");
		response.setContentLength(this.script.length);
		response.getOutputStream().write(this.script);
	}

	private static boolean isVersioned(@Nullable String query) {
		return query != null && Arrays.stream(query.split("&"))
			.anyMatch((parameter) -> parameter.startsWith(VERSION) && parameter.length() > VERSION.length());
	}

}
