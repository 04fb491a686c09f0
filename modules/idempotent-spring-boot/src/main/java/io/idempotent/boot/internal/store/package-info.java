/**
 * The store of operations and the database of the guards, while the application starts.
 */
@NullMarked
package io.idempotent.boot.internal.store;

import org.jspecify.annotations.NullMarked;
