package io.idempotent.ui;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.util.Assert;
import org.springframework.util.DigestUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * The page for operators. It consists of static files that call the actuator endpoints
 * from the browser, with the permissions of the user. It has no permissions or state of
 * its own.
 * <p>
 * It does not authenticate users: the application must protect the path and the
 * endpoints.
 */
public final class OperationsPage {

	/** After the controllers of the application, before static resources. */
	private static final int ORDER = 1;

	private final String path;

	private final Supplier<List<Endpoint>> endpoints;

	/**
	 * Creates the page. Its path is in the dispatcher servlet that also serves the
	 * endpoints, which are asked for each time that the page is loaded.
	 */
	public OperationsPage(String path, Supplier<List<Endpoint>> endpoints) {
		Assert.isTrue(path.startsWith("/") && !path.endsWith("/"),
				"The path must begin with a slash and not end with one");
		this.path = path;
		this.endpoints = endpoints;
	}

	/** Maps the path and the files of the page below it; to be registered as a bean. */
	public HandlerMapping mapping() {
		Map<String, HttpRequestHandler> handlers = new LinkedHashMap<>();
		handlers.put(this.path, new PageHandler(this.path, this.endpoints));
		handlers.put(this.path + "/*", files());
		return new SimpleUrlHandlerMapping(handlers, ORDER);
	}

	private static ResourceHttpRequestHandler files() {
		ResourceHttpRequestHandler files = new ResourceHttpRequestHandler();
		files.setLocations(List.of(new ClassPathResource("page/", OperationsPage.class)));
		// Reproducible builds give all files the same time.
		files.setUseLastModified(false);
		files.setEtagGenerator(OperationsPage::etag);
		files.setCacheControl(CacheControl.noCache());
		try {
			files.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException("The files of the page cannot be served", ex);
		}
		return files;
	}

	private static String etag(Resource file) {
		try {
			return DigestUtils.md5DigestAsHex(file.getContentAsByteArray());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * An actuator endpoint that the page uses.
	 *
	 * @param id its id, such as {@code locks}
	 * @param path its path in the same dispatcher servlet, or {@code null} if it is not
	 * exposed
	 * @param writable whether its write operations are enabled
	 */
	public record Endpoint(String id, @Nullable String path, boolean writable) {
	}

}
