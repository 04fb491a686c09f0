/**
 * Clients that call two servers over connections that are cut.
 */
@NullMarked
package io.idempotent.calls;

import org.jspecify.annotations.NullMarked;
