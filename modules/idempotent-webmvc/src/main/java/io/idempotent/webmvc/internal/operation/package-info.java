/** Handler methods that are idempotent operations, and their settings. */
@NullMarked
package io.idempotent.webmvc.internal.operation;

import org.jspecify.annotations.NullMarked;
