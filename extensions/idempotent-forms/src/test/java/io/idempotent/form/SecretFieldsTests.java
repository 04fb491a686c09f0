package io.idempotent.form;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SecretFieldsTests {

	private final SecretFields secrets = new SecretFields(List.of("iban"));

	@ParameterizedTest
	@ValueSource(strings = { "password", "newPassword", "user.passwd", "pwd", "PIN", "cardPin", "card-pin", "otp",
			"cvc", "CVV2", "creditCard", "card_number", "cardNumber", "clientSecret", "IBAN", "ssn", "payment[cvc]",
			"pincode", "PIN-Code", "PINCODE", "pin_code", "Kennwort", "passe", "motDePasse", "motdepasse",
			"mot-de-passe", "senha", "novaSenha", "novasenha", "contrasena", "Contrase\u00f1a", "CONTRASE\u00d1A",
			"contrasen\u0303a", "securityCode", "security-code", "ccnum", "ccNumber", "cc-num", "payment[ccNum]",
			"userCcNum", "passkey", "apiKey", "API_KEY", "x-api-key", "mfaCode", "mfa_code", "authCode",
			"verification code", "verificationcode", "accessToken", "access_token", "pw", "newPw", "user.pw", "psw",
			"refresh_token", "refreshToken", "id_token", "sessionToken", "private_key", "signingKey", "cvn", "smsCode",
			"credentials", "jwt", "oneTimeCode", "one-time-code", "\u5bc6\u7801", "\u65b0\u5bc6\u78bc",
			"\u9a8c\u8bc1\u7801" })
	void mustBeEnteredAgain(String name) {
		assertThat(this.secrets.include(name)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "shipping", "name", "spin", "company", "postcard", "passenger", "passengers", "opinion",
			"pinned", "compass", "passed", "quantity", "shippingCode", "shippingcode", "postalCode", "code",
			"accNumber", "succNum", "desenha", "resenha", "author", "authorCode", "token", "key", "keyword",
			"accessory", "tokens", "maxTokens", "pwm", "upward", "publicKey", "monkey", "sortKey", "\u90ae\u7f16", "" })
	void isKept(String name) {
		assertThat(this.secrets.include(name)).isFalse();
	}

}
