/** Canonical JSON, for the comparison of contents. */
@NullMarked
package io.idempotent.json;

import org.jspecify.annotations.NullMarked;
