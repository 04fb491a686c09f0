package io.idempotent.webmvc.internal.key;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.IdempotencyGate;
import org.jspecify.annotations.Nullable;

/**
 * Issues form tokens and recognises them: a letter that marks tokens for one operation,
 * 128 random bits, and the expiry in seconds. The key covers token and caller. The record
 * of the use is kept at least until the expiry, since a repeat would otherwise look like
 * a token that was never used.
 *
 * <p>
 * Tokens are stored when they are issued, and the store limits the time of first use. If
 * they are signed, they are not stored until they are used: an expired one starts nothing
 * new, but still finds the record of its use, so that a late repeat is replayed. Clock
 * skew between the nodes that sign and check changes its life by as much.
 */
public final class TokenService {

	/** The operation of a token that may be used for any operation. */
	public static final String ANY_OPERATION = "";

	private static final char FOR_ANY = 'a';

	private static final char FOR_ONE = 'o';

	private static final int NONCE = 16;

	/** The letter, and the nonce and the expiry in base64url. */
	private static final Pattern TOKEN = Pattern.compile("[" + FOR_ANY + FOR_ONE + "][A-Za-z0-9_-]{27}");

	/** The expiry is an unsigned number of 32 bits, which reaches to the year 2106. */
	private static final long LAST_EXPIRY = 0xFFFF_FFFFL;

	private final IdempotencyGate gate;

	private final @Nullable TokenSigner signer;

	private final String namespace;

	private final Duration timeToLive;

	private final Clock clock;

	private final SecureRandom random = new SecureRandom();

	/** Without a signer, tokens are stored. */
	public TokenService(IdempotencyGate gate, @Nullable TokenSigner signer, String namespace, Duration timeToLive,
			Clock clock) {
		this.gate = gate;
		this.signer = signer;
		this.namespace = namespace;
		this.timeToLive = timeToLive;
		this.clock = clock;
	}

	/** May throw a {@link io.idempotent.store.StoreUnavailableException}. */
	public String issue(List<String> caller, String operation, Duration timeToLive) {
		String token = generate(operation, timeToLive);
		if (this.signer != null) {
			return this.signer.sign(token, caller, operation);
		}
		this.gate.issue(key(token, caller, operation), timeToLive);
		return token;
	}

	/** Creates a token that is not issued, and so unknown to the store. */
	String generate(String operation, Duration timeToLive) {
		byte[] nonce = new byte[NONCE];
		this.random.nextBytes(nonce);
		long expiry = Math.min(this.clock.instant().getEpochSecond() + timeToLive.toSeconds(), LAST_EXPIRY);
		byte[] content = ByteBuffer.allocate(NONCE + Integer.BYTES).put(nonce).putInt((int) expiry).array();
		return (operation.equals(ANY_OPERATION) ? FOR_ANY : FOR_ONE)
				+ Base64.getUrlEncoder().withoutPadding().encodeToString(content);
	}

	/**
	 * {@code null} if it has another form, or was not signed for this caller and this
	 * operation. Whether one without a signature was issued, only its claim finds out.
	 */
	public @Nullable Token recognise(String token, List<String> caller, String operation) {
		String content = (this.signer != null) ? TokenSigner.withoutSignature(token) : token;
		if (!TOKEN.matcher(content).matches()) {
			return null;
		}
		String madeFor = (content.charAt(0) == FOR_ANY) ? ANY_OPERATION : operation;
		if (this.signer != null && !this.signer.hasSigned(token, caller, madeFor)) {
			return null;
		}
		int expiry = ByteBuffer.wrap(Base64.getUrlDecoder().decode(content.substring(1))).getInt(NONCE);
		long left = Integer.toUnsignedLong(expiry) - this.clock.instant().getEpochSecond();
		return new Token(key(token, caller, madeFor),
				(this.signer != null && left >= 0) ? Admission.OPEN : Admission.ISSUED,
				(left < 0) ? Duration.ZERO : Duration.ofSeconds(left).plus(Token.SKEW));
	}

	/** For its first use, unless another time is given. */
	public Duration timeToLive() {
		return this.timeToLive;
	}

	/** Whether they are stored when they are issued. */
	public boolean storesTokens() {
		return this.signer == null;
	}

	private OperationKey key(String token, List<String> caller, String operation) {
		List<String> scope = new ArrayList<>(caller);
		scope.add(0, "token");
		return OperationKey.of(this.namespace, operation, scope, token);
	}

	/** The record of its use is kept for at least {@code life}. */
	public record Token(OperationKey key, Admission admission, Duration life) {

		/** A record outlives its token by this much, to allow for clock skew. */
		private static final Duration SKEW = Duration.ofMinutes(5);

		/** Whether half of the time for which new tokens live is left. */
		public boolean isFresh(Duration timeToLive) {
			return this.life.compareTo(timeToLive.dividedBy(2).plus(SKEW)) >= 0;
		}

	}

}
