/**
 * The key of a request, among the keys of its caller: from a header, a token or the
 * content; and the tokens that are issued to callers.
 */
@NullMarked
package io.idempotent.webmvc.internal.key;

import org.jspecify.annotations.NullMarked;
