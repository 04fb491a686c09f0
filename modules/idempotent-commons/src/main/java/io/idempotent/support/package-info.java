/**
 * What idempotency and locks share: advisors, key expressions, digests.
 */
@NullMarked
package io.idempotent.support;

import org.jspecify.annotations.NullMarked;
