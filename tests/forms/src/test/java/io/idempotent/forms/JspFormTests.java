package io.idempotent.forms;

import org.junit.jupiter.api.Tag;

/**
 * Spring's JSP tags, with signed tokens.
 */
@Tag("slow")
class JspFormTests extends FormContract {

	JspFormTests() {
		super("jsp", "idempotent.token.signing.active-key=one",
				"idempotent.token.signing.keys.one=a-secret-of-more-than-thirty-two-bytes");
	}

}
