/**
 * Contract tests for a store of operations or a lock engine of your own.
 */
@NullMarked
package io.idempotent.test.contract;

import org.jspecify.annotations.NullMarked;
