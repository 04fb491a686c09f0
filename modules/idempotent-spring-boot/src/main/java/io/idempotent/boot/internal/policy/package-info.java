/** The policies of operations, from properties, annotations and defaults. */
@NullMarked
package io.idempotent.boot.internal.policy;

import org.jspecify.annotations.NullMarked;
