/**
 * Calls of other services that take effect once: interceptors that send one key for each
 * call and repeat the call under that key.
 */
@NullMarked
package io.idempotent.client;

import org.jspecify.annotations.NullMarked;
