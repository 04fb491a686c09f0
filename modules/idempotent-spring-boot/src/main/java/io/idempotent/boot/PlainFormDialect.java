package io.idempotent.boot;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.idempotent.webmvc.form.TokenFieldProcessor;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.context.ITemplateContext;
import org.thymeleaf.context.IWebContext;
import org.thymeleaf.dialect.AbstractProcessorDialect;
import org.thymeleaf.model.IModelFactory;
import org.thymeleaf.model.IProcessableElementTag;
import org.thymeleaf.processor.IProcessor;
import org.thymeleaf.processor.element.AbstractElementTagProcessor;
import org.thymeleaf.processor.element.IElementTagStructureHandler;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.web.servlet.IServletWebExchange;

import org.springframework.web.servlet.support.RequestDataValueProcessor;

/**
 * Adds the token to forms of Thymeleaf without {@code th:action}: those whose address is
 * written by hand in {@code action} or HTMX's {@code hx-post}, and those that are sent to
 * the page itself. Thymeleaf reports only {@code th:action} to Spring MVC.
 */
final class PlainFormDialect extends AbstractProcessorDialect {

	/** After conditions, loops and local variables, before attributes are computed. */
	private static final int PRECEDENCE = 650;

	/** What computes the address of the form. */
	private static final List<String> COMPUTED = List.of("action", "attr", "attrappend", "attrprepend", "hx-post");

	private final Supplier<? extends @Nullable RequestDataValueProcessor> fields;

	/**
	 * Creates the dialect.
	 * @param fields supplies the processor that knows the operations
	 */
	PlainFormDialect(Supplier<? extends @Nullable RequestDataValueProcessor> fields) {
		super("Idempotency", null, PRECEDENCE);
		this.fields = fields;
	}

	@Override
	public Set<IProcessor> getProcessors(String dialectPrefix) {
		return Set.of(new FormProcessor());
	}

	private final class FormProcessor extends AbstractElementTagProcessor {

		FormProcessor() {
			super(TemplateMode.HTML, null, "form", false, null, false, PRECEDENCE);
		}

		@Override
		protected void doProcess(ITemplateContext context, IProcessableElementTag form,
				IElementTagStructureHandler structure) {
			String action = action(form);
			if (action != null && context instanceof IWebContext web
					&& web.getExchange() instanceof IServletWebExchange exchange
					&& exchange.getNativeRequestObject() instanceof HttpServletRequest request
					&& PlainFormDialect.this.fields.get() instanceof TokenFieldProcessor fields) {
				String token = fields.token(request, action);
				if (token != null) {
					IModelFactory models = context.getModelFactory();
					structure.insertImmediatelyAfter(models.createModel(models.createText(
							"<input type=\"hidden\" name=\"" + fields.parameter() + "\" value=\"" + token + "\"/>")),
							false);
				}
			}
		}

		/** The address as it is written, or {@code null} if it is not known here. */
		private static @Nullable String action(IProcessableElementTag form) {
			if (COMPUTED.stream().anyMatch((name) -> form.hasAttribute("th", name))) {
				return null;
			}
			String posted = form.getAttributeValue("hx-post");
			if (posted == null) {
				posted = form.getAttributeValue("data-hx-post");
			}
			if (posted != null) {
				return posted;
			}
			String action = form.getAttributeValue("action");
			return "post".equalsIgnoreCase(form.getAttributeValue("method")) ? ((action != null) ? action : "") : null;
		}

	}

}
