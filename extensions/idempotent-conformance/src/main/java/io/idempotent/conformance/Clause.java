package io.idempotent.conformance;

/**
 * What a document of one profile requires.
 *
 * @param profile the profile
 * @param level how strictly
 * @param source the document
 * @param section where in the document
 */
record Clause(Profile profile, Level level, Source source, String section) {

	String cite() {
		return this.source.cite(this.section);
	}

	String link() {
		return this.source.link(this.section);
	}

}
