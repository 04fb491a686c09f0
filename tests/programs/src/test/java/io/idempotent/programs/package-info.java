/**
 * Generated programs of transactions and idempotent calls, and an oracle that says what
 * may come of them.
 */
@NullMarked
package io.idempotent.programs;

import org.jspecify.annotations.NullMarked;
