package io.idempotent.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.key.DefaultIdempotencyTokens;
import io.idempotent.webmvc.internal.key.TokenService;
import io.idempotent.webmvc.internal.refusal.RefusalPage.ResendForms;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.springframework.web.servlet.support.RequestDataValueProcessor;

/**
 * Adds a hidden field with a token to the forms that submit an idempotent operation, and
 * to no others. Spring's JSP tags and Thymeleaf's {@code th:action} call it, and report
 * the method of the form; a form whose method is not reported as POST gets no token.
 * Everything else is left to the processor that the application or Spring Security has
 * defined.
 */
public final class TokenFieldProcessor implements RequestDataValueProcessor, ResendForms {

	/** The name of the bean that Spring MVC looks up. */
	public static final String BEAN_NAME = RequestContextUtils.REQUEST_DATA_VALUE_PROCESSOR_BEAN_NAME;

	/** The field of Spring's {@code HiddenHttpMethodFilter}. */
	private static final String METHOD_FIELD = "_method";

	private static final Set<String> HIDDEN_METHODS = Set.of("PUT", "PATCH", "DELETE");

	private static final String FORM = TokenFieldProcessor.class.getName() + ".form";

	/** Whether the form being rendered is sent to this application, by POST. */
	private static final String HERE = TokenFieldProcessor.class.getName() + ".here";

	/** Whether HTMX sends the form being rendered elsewhere. */
	private static final String LEAVES = TokenFieldProcessor.class.getName() + ".leaves";

	private final FormTargets targets;

	private final DefaultIdempotencyTokens tokens;

	private final String parameter;

	private final List<String> secretFields;

	private final @Nullable RequestDataValueProcessor delegate;

	/** Creates a processor, in front of the one of the application if there is one. */
	public TokenFieldProcessor(HttpIdempotency idempotency, List<String> secretFields,
			@Nullable RequestDataValueProcessor delegate) {
		this.targets = new FormTargets(idempotency::handlers);
		this.tokens = idempotency.tokens();
		this.parameter = idempotency.settings().tokenParameter();
		this.secretFields = List.copyOf(secretFields);
		this.delegate = delegate;
	}

	@Override
	public @Nullable String resendForm(HttpServletRequest request, Map<String, List<String>> entries, String button,
			String again) {
		ResendForm form = ResendForm.of(request, entries, this, new SecretFields(this.secretFields));
		return (form != null) ? form.html(button, again) : null;
	}

	/** The fields of a form that repeats the request, or {@code null} without a token. */
	@Nullable Map<String, String> fieldsOfCurrentForm(HttpServletRequest request) {
		request.removeAttribute(FORM);
		processFormFieldValue(request, METHOD_FIELD, request.getMethod(), "hidden");
		processAction(request, "", "post");
		Map<String, String> fields = getExtraHiddenFields(request);
		return (fields != null && fields.containsKey(this.parameter)) ? fields : null;
	}

	@Override
	public String processAction(HttpServletRequest request, String action, String method) {
		Form earlier = (Form) request.getAttribute(FORM);
		boolean leaves = Boolean.TRUE.equals(request.getAttribute(LEAVES));
		if (begin(request, "post".equalsIgnoreCase(method), action, leaves)) {
			// Thymeleaf processes th:method before th:action, JSP tags after it.
			request.setAttribute(FORM, new Form(action, (earlier != null) ? earlier.onlyMethod() : null));
		}
		else if (earlier != null) {
			request.removeAttribute(FORM);
		}
		return (this.delegate != null) ? this.delegate.processAction(request, action, method) : action;
	}

	@Override
	public String processFormFieldValue(HttpServletRequest request, @Nullable String name, String value, String type) {
		Form form = (Form) request.getAttribute(FORM);
		if (METHOD_FIELD.equals(name) && "hidden".equals(type)) {
			String method = value.toUpperCase(Locale.ROOT);
			if (HIDDEN_METHODS.contains(method)) {
				request.setAttribute(FORM, new Form((form != null) ? form.action() : null, method));
			}
		}
		else if (form != null && form.action() == null) {
			request.removeAttribute(FORM);
		}
		return (this.delegate != null) ? this.delegate.processFormFieldValue(request, name, value, type) : value;
	}

	@Override
	public @Nullable Map<String, String> getExtraHiddenFields(HttpServletRequest request) {
		Map<String, String> fields = (this.delegate != null) ? this.delegate.getExtraHiddenFields(request) : null;
		Form form = (Form) request.getAttribute(FORM);
		if (form == null) {
			return fields;
		}
		request.removeAttribute(FORM);
		String token = (form.action() != null) ? token(request, form.action(), form.method()) : null;
		if (token == null) {
			return fields;
		}
		Map<String, String> all = (fields != null) ? new LinkedHashMap<>(fields) : new LinkedHashMap<>();
		all.put(this.parameter, token);
		return all;
	}

	/**
	 * The token of a form that no template engine reports, or {@code null} if the form
	 * submits no operation by POST, or its caller cannot get a token. The action is empty
	 * if the form has none.
	 */
	@Nullable String token(HttpServletRequest request, String action) {
		return token(request, action, null);
	}

	/**
	 * The token of a button that sends its form to an address of its own; {@code null} as
	 * in {@link #token(HttpServletRequest, String)}. It is good for any operation, since
	 * the form may be sent without this button.
	 */
	@Nullable String tokenOfButton(HttpServletRequest request, String action) {
		return (operation(FormAction.resolve(request, action), null) != null)
				? issue(request, TokenService.ANY_OPERATION, false) : null;
	}

	/**
	 * Notes where the form being rendered is sent. Returns whether it is sent to this
	 * application by POST.
	 */
	static boolean begin(HttpServletRequest request, boolean post, String action, boolean leaves) {
		boolean here = post && !leaves && isHere(request, action);
		request.setAttribute(LEAVES, leaves);
		request.setAttribute(HERE, here);
		return here;
	}

	static boolean isSentHere(HttpServletRequest request) {
		return Boolean.TRUE.equals(request.getAttribute(HERE));
	}

	static boolean isHere(HttpServletRequest request, String address) {
		return FormAction.resolve(request, address) != null;
	}

	String header() {
		return this.tokens.header();
	}

	/** The name of the field that carries a token. */
	String parameter() {
		return this.parameter;
	}

	private @Nullable String token(HttpServletRequest request, String action, @Nullable String method) {
		PathContainer path = FormAction.resolve(request, action);
		String operation = operation(path, method);
		return (operation != null) ? issue(request, operation, Objects.equals(path, FormAction.resolve(request, "")))
				: null;
	}

	private @Nullable String operation(@Nullable PathContainer path, @Nullable String method) {
		return (path != null) ? this.targets.find((method != null) ? method : "POST", path) : null;
	}

	/** A form that is shown again is sent to the address of the request. */
	private @Nullable String issue(HttpServletRequest request, String operation, boolean again) {
		String token = FormTokens.of(request, this.tokens).token(request, operation, again);
		if (token != null) {
			FormPage.keepPrivate(request);
		}
		return token;
	}

	@Override
	public String processUrl(HttpServletRequest request, String url) {
		return (this.delegate != null) ? this.delegate.processUrl(request, url) : url;
	}

	/** The form being rendered; the action is {@code null} if only a method is known. */
	private record Form(@Nullable String action, @Nullable String method) {

		@Nullable String onlyMethod() {
			return (this.action == null) ? this.method : null;
		}

	}

}
