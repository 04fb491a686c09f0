/** The state machine, and the life of a submission. */
@NullMarked
package io.idempotent.submission;

import org.jspecify.annotations.NullMarked;
