package io.idempotent.form.autoconfigure;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

import io.idempotent.webmvc.internal.operation.HttpSettings;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.util.DigestUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.servlet.support.WebContentGenerator;

/**
 * Serves the file {@code idempotent.js}, with the settings of the application in it.
 * Browsers revalidate it each time.
 */
final class IdempotencyScript extends WebContentGenerator implements HttpRequestHandler {

	private static final String BEGIN = "/*[*/";

	private static final String END = "/*]*/";

	private static final JsonFactory JSON = JsonFactory.builder().build();

	private final byte[] script;

	private final String etag;

	/**
	 * The paths of the script and of the token endpoint are in the same dispatcher
	 * servlet. That of the latter is empty if there is none.
	 */
	IdempotencyScript(String path, String tokenPath, HttpSettings settings) throws IOException {
		super(METHOD_GET, METHOD_HEAD);
		setCacheControl(CacheControl.noCache());
		String template = new ClassPathResource("io/idempotent/form/script/idempotent.js",
				IdempotencyScript.class.getClassLoader())
			.getContentAsString(StandardCharsets.UTF_8);
		int begin = template.indexOf(BEGIN) + BEGIN.length();
		this.script = (template.substring(0, begin) + json(path, tokenPath, settings)
				+ template.substring(template.indexOf(END, begin)))
			.getBytes(StandardCharsets.UTF_8);
		this.etag = '"' + DigestUtils.md5DigestAsHex(this.script) + '"';
	}

	/** The path is relative, so that context path and proxies do not matter. */
	private static String json(String path, String tokenPath, HttpSettings settings) {
		String root = "../".repeat(StringUtils.countOccurrencesOf(path, "/") - 1);
		StringWriter text = new StringWriter();
		try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
			out.writeStartObject();
			out.writeStringProperty("tokenPath", tokenPath.isEmpty() ? "" : "./" + root + tokenPath.substring(1));
			out.writeStringProperty("tokenHeader", settings.tokenHeader());
			out.writeStringProperty("tokenField", settings.tokenParameter());
			out.writeStringProperty("keyHeader", settings.keyHeader());
			out.writeStringProperty("replayedHeader", settings.replayedHeader());
			out.writeEndObject();
		}
		return text.toString();
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		checkRequest(request);
		prepareResponse(response);
		response.setHeader("X-Content-Type-Options", "nosniff");
		if (new ServletWebRequest(request, response).checkNotModified(this.etag)) {
			return;
		}
		response.setContentType("text/javascript;charset=UTF-8");
		response.setContentLength(this.script.length);
		response.getOutputStream().write(this.script);
	}

}
