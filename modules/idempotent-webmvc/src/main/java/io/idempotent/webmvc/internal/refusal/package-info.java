/** What the caller of a refused request gets: a problem document or a page. */
@NullMarked
package io.idempotent.webmvc.internal.refusal;

import org.jspecify.annotations.NullMarked;
