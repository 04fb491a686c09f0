package io.idempotent.form;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.context.ITemplateContext;
import org.thymeleaf.context.IWebContext;
import org.thymeleaf.dialect.AbstractProcessorDialect;
import org.thymeleaf.model.IModel;
import org.thymeleaf.model.IModelFactory;
import org.thymeleaf.model.IProcessableElementTag;
import org.thymeleaf.processor.IProcessor;
import org.thymeleaf.processor.element.AbstractElementTagProcessor;
import org.thymeleaf.processor.element.IElementTagStructureHandler;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.web.servlet.IServletWebExchange;

import org.springframework.web.servlet.support.RequestDataValueProcessor;
import org.springframework.web.util.HtmlUtils;

/** Adds tokens to forms without {@code th:action}, which Thymeleaf does not report. */
public final class PlainFormDialect extends AbstractProcessorDialect {

	/** After conditions, loops and local variables, before attributes are computed. */
	private static final int BEFORE_ATTRIBUTES = 650;

	/** After all attributes are computed. */
	private static final int AFTER_ATTRIBUTES = 1500;

	private final Supplier<? extends @Nullable RequestDataValueProcessor> fields;

	public PlainFormDialect(Supplier<? extends @Nullable RequestDataValueProcessor> fields) {
		super("Idempotency", null, BEFORE_ATTRIBUTES);
		this.fields = fields;
	}

	@Override
	public Set<IProcessor> getProcessors(String dialectPrefix) {
		return Set.of(new FormProcessor(), new ButtonProcessor(), new BaseProcessor());
	}

	private abstract class TagProcessor extends AbstractElementTagProcessor {

		TagProcessor(@Nullable String element, @Nullable String attribute, int precedence) {
			super(TemplateMode.HTML, null, element, false, attribute, false, precedence);
		}

		@Override
		protected final void doProcess(ITemplateContext context, IProcessableElementTag tag,
				IElementTagStructureHandler structure) {
			if (context instanceof IWebContext web && web.getExchange() instanceof IServletWebExchange exchange
					&& exchange.getNativeRequestObject() instanceof HttpServletRequest request
					&& PlainFormDialect.this.fields.get() instanceof TokenFieldProcessor fields) {
				process(new Page(context, request, fields), tag, structure);
			}
		}

		abstract void process(Page page, IProcessableElementTag tag, IElementTagStructureHandler structure);

	}

	/** Forms with an address written by hand, in {@code hx-post} too, or without one. */
	private final class FormProcessor extends TagProcessor {

		/** The attributes that compute where and how the form is sent. */
		private static final List<String> COMPUTED = List.of("action", "method", "attr", "attrappend", "attrprepend",
				"hx-post");

		/** By these, HTMX sends the fields in an address, or by another method. */
		private static final List<String> NOT_BY_POST = List.of("hx-get", "hx-put", "hx-patch", "hx-delete");

		FormProcessor() {
			super("form", null, BEFORE_ATTRIBUTES);
		}

		@Override
		void process(Page page, IProcessableElementTag form, IElementTagStructureHandler structure) {
			boolean known = COMPUTED.stream().noneMatch((name) -> form.hasAttribute("th", name));
			String action = attribute(form, "action").orElse("");
			Optional<String> htmx = htmx(form, "hx-post");
			boolean leaves = NOT_BY_POST.stream().anyMatch((name) -> htmx(form, name).isPresent())
					|| htmx.filter((address) -> !TokenFieldProcessor.isHere(page.request(), address)).isPresent();
			boolean here = TokenFieldProcessor.begin(page.request(), known && isPost(form, "method"), action, leaves);
			boolean inHeader = htmx.isPresent() && htmx(form, "hx-headers").isEmpty();
			if (known && !leaves && (here || inHeader)) {
				String token = page.fields().token(page.request(), htmx.orElse(action));
				if (token != null && here) {
					structure.insertImmediatelyAfter(page.field(token), false);
				}
				else if (token != null) {
					// Without HTMX, the browser would send a field in an address.
					structure.setAttribute("hx-headers",
							HtmlUtils.htmlEscape("{\"" + page.fields().header() + "\":\"" + token + "\"}"));
				}
			}
		}

		private static Optional<String> htmx(IProcessableElementTag form, String name) {
			return attribute(form, name).or(() -> attribute(form, "data-" + name))
				.or(() -> Optional.ofNullable(form.getAttributeValue("th", name)));
		}

	}

	/**
	 * Adds a token to a button with {@code formaction} that sends a form by POST: as its
	 * value if it has no name, since the form itself may be sent elsewhere.
	 */
	private final class ButtonProcessor extends TagProcessor {

		ButtonProcessor() {
			super(null, "formaction", AFTER_ATTRIBUTES);
		}

		@Override
		void process(Page page, IProcessableElementTag button, IElementTagStructureHandler structure) {
			if (sendsByPost(page.context(), button)) {
				boolean ofButton = button.getElementCompleteName().equalsIgnoreCase("button")
						&& !button.hasAttribute("name");
				boolean ofForm = !button.hasAttribute("form") && TokenFieldProcessor.isSentHere(page.request());
				Optional<String> token = attribute(button, "formaction").filter((action) -> ofButton || ofForm)
					.map((action) -> page.fields().tokenOfButton(page.request(), action));
				if (ofButton && token.isPresent()) {
					structure.setAttribute("name", page.fields().parameter());
					structure.setAttribute("value", token.get());
				}
				else {
					token.ifPresent((value) -> structure.insertBefore(page.field(value)));
				}
			}
		}

		private static boolean sendsByPost(ITemplateContext context, IProcessableElementTag button) {
			if (button.hasAttribute("formmethod")) {
				return isPost(button, "formmethod");
			}
			return !button.hasAttribute("form") && context.getElementStack()
				.stream()
				.anyMatch((tag) -> tag.getElementCompleteName().equalsIgnoreCase("form")
						&& (isPost(tag, "method") || tag.hasAttribute("th", "method")));
		}

	}

	/** Reports the address against which the page resolves others. */
	private final class BaseProcessor extends TagProcessor {

		BaseProcessor() {
			super("base", "href", AFTER_ATTRIBUTES);
		}

		@Override
		void process(Page page, IProcessableElementTag base, IElementTagStructureHandler structure) {
			attribute(base, "href").ifPresent((href) -> FormAction.base(page.request(), href));
		}

	}

	private static Optional<String> attribute(IProcessableElementTag tag, String name) {
		return Optional.ofNullable(tag.getAttributeValue(name));
	}

	private static boolean isPost(IProcessableElementTag tag, String attribute) {
		return "post".equalsIgnoreCase(tag.getAttributeValue(attribute));
	}

	private record Page(ITemplateContext context, HttpServletRequest request, TokenFieldProcessor fields) {

		IModel field(String token) {
			IModelFactory models = this.context.getModelFactory();
			return models.createModel(models.createText(
					"<input type=\"hidden\" name=\"" + this.fields.parameter() + "\" value=\"" + token + "\"/>"));
		}

	}

}
