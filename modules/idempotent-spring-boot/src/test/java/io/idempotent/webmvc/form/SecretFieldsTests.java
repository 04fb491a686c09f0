package io.idempotent.webmvc.form;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SecretFieldsTests {

	private final SecretFields secrets = new SecretFields(List.of("iban"));

	@ParameterizedTest
	@ValueSource(strings = { "password", "newPassword", "user.passwd", "pwd", "PIN", "cardPin", "card-pin", "otp",
			"cvc", "CVV2", "creditCard", "card_number", "cardNumber", "clientSecret", "IBAN", "ssn", "payment[cvc]" })
	void isAskedForAgain(String name) {
		assertThat(this.secrets.include(name)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "shipping", "name", "spin", "company", "postcard", "passenger", "opinion", "quantity", "" })
	void isKept(String name) {
		assertThat(this.secrets.include(name)).isFalse();
	}

}
