package io.idempotent.webmvc.internal.key;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.support.Digest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Secrets that the nodes of an application agree on through their store: one for each day
 * (UTC), created by the first node that needs it. Each is read again after a minute, so
 * that the nodes agree again after the store has lost it. Whoever can read the store can
 * sign tokens.
 */
public final class SharedSigningKeys implements SigningKeys {

	/** Of a token. */
	public static final Duration LONGEST_LIFE = Duration.ofDays(90);

	/** How long the last secret is used while the store fails. */
	private static final int LONGEST_OUTAGE_DAYS = 30;

	/**
	 * Longer than outage, life of a token and the longest retention of an operation (a
	 * year) together, so that a used token is still replayed.
	 */
	private static final Duration KEPT = Duration.ofDays(500);

	private static final Log logger = LogFactory.getLog(SharedSigningKeys.class);

	private static final String OPERATION = "token-signing";

	private static final Pattern ID = Pattern.compile("d(0|[1-9][0-9]{0,8})");

	private static final Duration AGE = Duration.ofMinutes(1);

	/** Of a secret that is absent and that another node may create at any time. */
	private static final Duration AGE_OF_ABSENCE = Duration.ofSeconds(1);

	/** A node writes the secret as soon as it has claimed it. */
	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final int LOOKS = 50;

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private final IdempotencyStore store;

	private final String namespace;

	private final Clock clock;

	private final SecureRandom random = new SecureRandom();

	private final Map<Long, Read> read = new ConcurrentHashMap<>();

	public SharedSigningKeys(IdempotencyStore store, String namespace, Clock clock) {
		this.store = store;
		this.namespace = namespace;
		this.clock = clock;
	}

	@Override
	public SigningKey active(Duration timeToLive) {
		if (timeToLive.compareTo(LONGEST_LIFE) > 0) {
			throw new IllegalArgumentException("A token cannot live for " + DurationText.of(timeToLive)
					+ " if the nodes share a secret, but for " + DurationText.of(LONGEST_LIFE)
					+ " at most. Configure a secret (idempotent.token.signing.keys), or store tokens "
					+ "(idempotent.token.mode=stored)");
		}
		SigningKey key = keyOfToday();
		if (key == null) {
			throw StoreUnavailableException.withoutEffect(
					"Another node has claimed today's secret for form tokens, and has not written it yet: try again",
					null);
		}
		return key;
	}

	/** The last known one if the store has failed since midnight. */
	private @Nullable SigningKey keyOfToday() {
		long today = today();
		try {
			return key(today, Admission.OPEN);
		}
		catch (StoreUnavailableException ex) {
			for (long day = today - 1; day >= today - LONGEST_OUTAGE_DAYS; day--) {
				Read last = this.read.get(day);
				if (last != null && last.key() != null) {
					return last.key();
				}
			}
			throw ex;
		}
	}

	/** Looks for days alone whose tokens may live, whatever clients make up. */
	@Override
	public @Nullable SigningKey find(String id) {
		if (!ID.matcher(id).matches()) {
			return null;
		}
		long day = Long.parseLong(id.substring(1));
		return (day <= today() + 1 && day >= today() - KEPT.toDays()) ? key(day, Admission.ISSUED) : null;
	}

	private long today() {
		return Math.floorDiv(this.clock.instant().getEpochSecond(), TimeUnit.DAYS.toSeconds(1));
	}

	/** One caller reads a known secret again; the others use it meanwhile. */
	private @Nullable SigningKey key(long day, Admission admission) {
		Instant now = this.clock.instant();
		Read last = this.read.get(day);
		SigningKey known = (last != null) ? last.key() : null;
		// A node whose clock is slow may create that of yesterday after midnight.
		Duration age = (known != null || day < today() - 1) ? AGE : AGE_OF_ABSENCE;
		if (last != null && (known != null || admission == Admission.ISSUED)
				&& Duration.between(last.at(), now).abs().compareTo(age) < 0) {
			return known;
		}
		if (last != null && known != null && !this.read.replace(day, last, new Read(known, now))) {
			return known;
		}
		try {
			Read asked = new Read(ask(day, admission), now);
			this.read.keySet().removeIf((kept) -> kept < today() - KEPT.toDays());
			// An absence is older than what another caller has read or created meanwhile.
			this.read.merge(day, asked,
					(present, read) -> (read.key() != null || Objects.equals(present.key(), known)) ? read : present);
			return asked.key();
		}
		catch (StoreUnavailableException | UnreadableRecordException ex) {
			if (known == null) {
				throw ex;
			}
			logger.debug("The secret for form tokens of day " + day + " could not be read again and is still used", ex);
			return known;
		}
	}

	private @Nullable SigningKey ask(long day, Admission admission) {
		ClaimRequest request = new ClaimRequest(OperationKey.of(this.namespace, OPERATION, List.of(), id(day)),
				Owner.draw(this.random), new Fingerprint(Digest.sha256().add(OPERATION).build()), LEASE, KEPT,
				admission, Lapsed.TAKE_OVER, Term.LEASED, false);
		for (int look = 0; look < LOOKS; look++) {
			ClaimResult result = this.store.claim(request);
			if (result instanceof ClaimResult.Granted granted) {
				return create(day, request, granted);
			}
			if (!(result instanceof ClaimResult.InProgress)) {
				return (result instanceof ClaimResult.Completed completed
						&& completed.outcome() instanceof Outcome.Stored stored)
								? SigningKey.of(id(day), stored.answer()) : null;
			}
			LockSupport.parkNanos(PAUSE);
		}
		return null;
	}

	private @Nullable SigningKey create(long day, ClaimRequest request, ClaimResult.Granted granted) {
		byte[] secret = new byte[SigningKey.MIN_SECRET];
		this.random.nextBytes(secret);
		ClaimId claim = request.claimId(granted.attempt());
		return switch (this.store.complete(claim, Outcome.stored(secret), KEPT)) {
			case HELD -> SigningKey.of(id(day), secret);
			case LOST -> null;
		};
	}

	private static String id(long day) {
		return "d" + day;
	}

	/** What the store had at that time. */
	private record Read(@Nullable SigningKey key, Instant at) {
	}

}
