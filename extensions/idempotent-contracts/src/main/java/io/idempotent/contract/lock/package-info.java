/**
 * Contracts of lock engines: an author extends one and supplies the engine.
 */
@NullMarked
package io.idempotent.contract.lock;

import org.jspecify.annotations.NullMarked;
