/** Claims: the right to run an operation, its lease, and what is recorded at its end. */
@NullMarked
package io.idempotent.submission.claim;

import org.jspecify.annotations.NullMarked;
