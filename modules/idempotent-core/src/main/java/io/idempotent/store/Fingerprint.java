package io.idempotent.store;

import io.idempotent.support.Digest;

/**
 * A digest of a submission's content. A submission is refused if its key was used before
 * with another fingerprint.
 */
public record Fingerprint(Digest digest) {

	/** Of a submission of which nothing is compared beside its key. */
	public static Fingerprint of(OperationKey key) {
		return new Fingerprint(key.digest());
	}

	/**
	 * Whether both may be of the same content. They may if nothing was compared of one of
	 * them, as in another version of the application.
	 * @param key the key of both
	 */
	public boolean matches(Fingerprint other, OperationKey key) {
		Fingerprint nothing = of(key);
		return equals(other) || equals(nothing) || other.equals(nothing);
	}

}
