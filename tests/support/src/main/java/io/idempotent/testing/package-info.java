/**
 * Real servers that can be made to fail, and a network that can.
 */
@NullMarked
package io.idempotent.testing;

import org.jspecify.annotations.NullMarked;
