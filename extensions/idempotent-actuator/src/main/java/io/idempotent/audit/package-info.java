/** The audit log: what operators have changed by hand. */
@NullMarked
package io.idempotent.audit;

import org.jspecify.annotations.NullMarked;
