/**
 * The contract of stores: an author extends it and supplies the store.
 */
@NullMarked
package io.idempotent.contract.store;

import org.jspecify.annotations.NullMarked;
