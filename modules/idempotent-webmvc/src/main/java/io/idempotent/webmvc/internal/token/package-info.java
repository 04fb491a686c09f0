/**
 * Tokens: issued to callers, stored or signed, and recognised when they come back.
 */
@NullMarked
package io.idempotent.webmvc.internal.token;

import org.jspecify.annotations.NullMarked;
