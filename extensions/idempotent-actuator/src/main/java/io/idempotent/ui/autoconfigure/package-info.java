/**
 * The page for operators, over the actuator endpoints.
 */
@NullMarked
package io.idempotent.ui.autoconfigure;

import org.jspecify.annotations.NullMarked;
