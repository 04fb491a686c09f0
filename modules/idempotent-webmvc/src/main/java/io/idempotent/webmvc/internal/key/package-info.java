/**
 * The key of a request: from a header, a token or the content, within the keys of its
 * caller.
 */
@NullMarked
package io.idempotent.webmvc.internal.key;

import org.jspecify.annotations.NullMarked;
