package io.idempotent.webmvc.internal.key;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.idempotent.support.Digest;

/**
 * Signs form tokens: {@code <key id>.<token><HMAC-SHA256>}. The signature also covers the
 * caller and the operation. To rotate the keys, add a new one, make it active, and remove
 * the old one after the time to live of the tokens.
 */
public final class TokenSigner {

	private static final String HMAC = "HmacSHA256";

	/** Of 32 bytes in base64url. */
	private static final int SIGNATURE_LENGTH = 43;

	private final String namespace;

	private final String activeKey;

	private final Map<String, SecretKeySpec> keys;

	/** Each secret, by the id of its key, has at least 32 bytes. */
	public TokenSigner(String namespace, String activeKey, Map<String, String> secrets) {
		this.namespace = namespace;
		this.activeKey = activeKey;
		this.keys = secrets.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(secret) -> new SecretKeySpec(secret.getValue().getBytes(StandardCharsets.UTF_8), HMAC)));
	}

	String sign(String token, List<String> caller, String operation) {
		return sign(this.activeKey, token, caller, operation);
	}

	private String sign(String id, String token, List<String> caller, String operation) {
		Digest.Builder content = Digest.sha256().add(this.namespace).add(id).add(token).add(operation);
		caller.forEach(content::add);
		try {
			Mac mac = Mac.getInstance(HMAC);
			mac.init(Objects.requireNonNull(this.keys.get(id)));
			return id + "." + token
					+ Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(content.build().bytes()));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(
					"A form token cannot be signed with key '" + id + "': this JVM does not provide HmacSHA256", ex);
		}
	}

	/** The token in a signed one, or any text that is none. */
	static String withoutSignature(String signed) {
		int start = signed.indexOf('.') + 1;
		return signed.substring(start, Math.max(start, signed.length() - SIGNATURE_LENGTH));
	}

	boolean hasSigned(String signed, List<String> caller, String operation) {
		String id = signed.substring(0, Math.max(signed.indexOf('.'), 0));
		return this.keys.containsKey(id)
				&& MessageDigest.isEqual(bytes(sign(id, withoutSignature(signed), caller, operation)), bytes(signed));
	}

	private static byte[] bytes(String signed) {
		return signed.getBytes(StandardCharsets.US_ASCII);
	}

}
