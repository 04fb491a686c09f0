/**
 * A lock registry for Spring Integration.
 */
@NullMarked
package io.idempotent.lock.integration;

import org.jspecify.annotations.NullMarked;
