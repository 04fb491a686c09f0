package io.idempotent.webmvc.internal.request;

import java.nio.ByteBuffer;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.FormFields;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Attributes;

/** The limits are those of the servlet context. */
final class JettyFormParser implements FormParser {

	@Override
	public boolean isForm(HttpServletRequest original) {
		HttpConfiguration configuration = core(original).getConnectionMetaData().getHttpConfiguration();
		return configuration.isFormEncodedMethod(original.getMethod())
				&& MimeTypes.Type.FORM_ENCODED.is(HttpField.getValueParameters(original.getContentType(), null));
	}

	private static Request core(HttpServletRequest original) {
		return ServletContextRequest.getServletContextRequest(original);
	}

	@Override
	public Map<String, String[]> parse(HttpServletRequest original, byte[] body, int others) {
		ServletContextHandler context = ServletContextHandler.getServletContextHandler(original.getServletContext());
		// Jetty would keep the result in the attributes of its request.
		Request request = new Request.AttributesWrapper(core(original), new Attributes.Mapped());
		try {
			return FormFields
				.getFields(Content.Source.from(ByteBuffer.wrap(body)), request,
						FormFields.getFormEncodedCharset(request), context.getMaxFormKeys(),
						context.getMaxFormContentSize())
				.toStringArrayMap();
		}
		catch (IllegalStateException | IllegalArgumentException ex) {
			throw new HttpException.IllegalStateException(HttpStatus.BAD_REQUEST_400, "Unable to parse form content",
					ex);
		}
	}

}
