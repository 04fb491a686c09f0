package io.idempotent.webmvc.internal.refusal;

import java.util.Locale;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Locales as containers read them. */
class MessageBundleTests {

	private final MessageBundle bundle = new MessageBundle("io.idempotent.webmvc.problems");

	@ParameterizedTest
	@CsvSource({ "zh,'',HANT,zh-Hant", "zh,CN,HANT,zh-Hant", "zh,'',HANT_PINYIN,zh-Hant", "zh,'',PINYIN,zh",
			"en,'',HANT,en" })
	void aScriptThatTomcatReadsAsAVariantIsAScript(String language, String country, String variant, String found) {
		Locale locale = new Locale(language, country, variant);
		assertThat(this.bundle.getMessage("idempotent.problem.language", null, locale)).isEqualTo(found);
	}

}
