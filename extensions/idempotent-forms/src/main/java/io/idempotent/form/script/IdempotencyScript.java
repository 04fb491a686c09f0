package io.idempotent.form.script;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import jakarta.servlet.Filter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import org.springframework.core.io.ClassPathResource;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * The file {@code idempotent.js}, with the settings of the application in it, and the
 * filter that it needs.
 */
public final class IdempotencyScript {

	/** After the controllers of the application, before static resources. */
	private static final int ORDER = 1;

	private static final String BEGIN = "/*[*/";

	private static final String END = "/*]*/";

	private final String path;

	private final String content;

	/** The path is within the dispatcher servlet, such as {@code /idempotent.js}. */
	public IdempotencyScript(String path, Settings settings) {
		Assert.isTrue(path.startsWith("/"), "The path must begin with a slash");
		this.path = path;
		this.content = render(read(), settings.json(path));
	}

	private static String render(String script, String json) {
		int begin = script.indexOf(BEGIN) + BEGIN.length();
		return script.substring(0, begin) + json + script.substring(script.indexOf(END, begin));
	}

	/** Maps the path of the script; to be registered as a bean. */
	public HandlerMapping mapping() {
		return new SimpleUrlHandlerMapping(Map.of(this.path, new ScriptHandler(this.content)), ORDER);
	}

	/**
	 * Lets the script read the target of a redirect, which browsers hide from scripts.
	 * Requests without the header of the script are passed on as they are. Register the
	 * filter before those that redirect, such as Spring Security's.
	 */
	public static Filter redirects() {
		return new ReadableRedirectFilter();
	}

	private static String read() {
		try {
			return new ClassPathResource("idempotent.js", IdempotencyScript.class)
				.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The settings of the script. The path of the token endpoint is in the same
	 * dispatcher servlet, and empty if there is none.
	 */
	public record Settings(String tokenPath, String tokenHeader, String tokenField, String keyHeader,
			String replayedHeader) {

		private static final JsonFactory JSON = JsonFactory.builder().build();

		/** The path is relative, so that context path and proxies do not matter. */
		private String json(String script) {
			String root = "../".repeat(StringUtils.countOccurrencesOf(script, "/") - 1);
			StringWriter text = new StringWriter();
			try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
				out.writeStartObject();
				out.writeStringProperty("tokenPath",
						this.tokenPath.isEmpty() ? "" : "./" + root + this.tokenPath.substring(1));
				out.writeStringProperty("tokenHeader", this.tokenHeader);
				out.writeStringProperty("tokenField", this.tokenField);
				out.writeStringProperty("keyHeader", this.keyHeader);
				out.writeStringProperty("replayedHeader", this.replayedHeader);
				out.writeEndObject();
			}
			return text.toString();
		}

	}

}
