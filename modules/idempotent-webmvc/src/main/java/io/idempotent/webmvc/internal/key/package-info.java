/** Keys of requests, from a header, a token or the content, and tokens for callers. */
@NullMarked
package io.idempotent.webmvc.internal.key;

import org.jspecify.annotations.NullMarked;
