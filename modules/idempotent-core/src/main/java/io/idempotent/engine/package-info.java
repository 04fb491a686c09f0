/** The state machine, and the life of a submission. */
@NullMarked
package io.idempotent.engine;

import org.jspecify.annotations.NullMarked;
