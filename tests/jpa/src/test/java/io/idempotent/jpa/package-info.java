/**
 * An application that sells by JPA, and what becomes of its transactions.
 */
@NullMarked
package io.idempotent.jpa;

import org.jspecify.annotations.NullMarked;
