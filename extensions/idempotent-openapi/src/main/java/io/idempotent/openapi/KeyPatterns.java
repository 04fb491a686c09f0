package io.idempotent.openapi;

import io.idempotent.IdempotencyProfile.KeySyntax;
import io.idempotent.webmvc.internal.key.KeyReader;

/**
 * The patterns of keys and tokens that {@link KeyReader} accepts, without the parameters
 * after a key in quotes, which no client needs.
 */
final class KeyPatterns {

	static final String TOKEN = "^[!#-+\\--~]{1,255}$";

	private static final String QUOTED = "\"([ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\"";

	/** The quotes, and a backslash before each character. */
	private static final int QUOTED_LENGTH = 2 + 2 * KeyReader.MAX_LENGTH;

	private KeyPatterns() {
	}

	static String header(KeySyntax syntax) {
		return switch (syntax) {
			case QUOTED_OR_BARE -> "^([!#-+\\--~]{1,255}|" + QUOTED + ")$";
			case QUOTED -> "^" + QUOTED + "$";
			case OPAQUE -> "^[!-~]([ -~]{0,253}[!-~])?$";
		};
	}

	static int maxHeaderLength(KeySyntax syntax) {
		return (syntax == KeySyntax.OPAQUE) ? KeyReader.MAX_LENGTH : QUOTED_LENGTH;
	}

}
