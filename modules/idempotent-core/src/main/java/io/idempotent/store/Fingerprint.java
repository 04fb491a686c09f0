package io.idempotent.store;

import io.idempotent.support.Digest;

/**
 * A digest of a submission's content. A submission is refused if its key was used before
 * with another fingerprint.
 */
public record Fingerprint(Digest digest) {
}
