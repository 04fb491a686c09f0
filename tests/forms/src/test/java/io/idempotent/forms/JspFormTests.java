package io.idempotent.forms;

/**
 * Spring's JSP tags, with signed tokens.
 */
class JspFormTests extends FormContract {

	JspFormTests() {
		super("jsp", "idempotent.token.mode=signed", "idempotent.token.signing.active-key=one",
				"idempotent.token.signing.keys.one=a-secret-of-more-than-thirty-two-bytes");
	}

}
