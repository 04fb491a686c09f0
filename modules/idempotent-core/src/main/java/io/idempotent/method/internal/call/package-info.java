/** Calls under claims, from the key to the end of their transactions. */
@NullMarked
package io.idempotent.method.internal.call;

import org.jspecify.annotations.NullMarked;
