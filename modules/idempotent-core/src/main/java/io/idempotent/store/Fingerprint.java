package io.idempotent.store;

import io.idempotent.support.Digest;

/**
 * What an operation was asked to do: a digest of the submission's content. Two
 * submissions with one key and different fingerprints are two operations.
 *
 * @param digest the digest
 */
public record Fingerprint(Digest digest) {
}
