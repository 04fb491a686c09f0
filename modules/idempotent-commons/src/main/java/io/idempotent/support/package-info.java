/**
 * Shared by idempotency and locks: advisors, key expressions, digests, threads.
 */
@NullMarked
package io.idempotent.support;

import org.jspecify.annotations.NullMarked;
