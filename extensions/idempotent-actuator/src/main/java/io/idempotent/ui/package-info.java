/**
 * A page for operators, over the actuator endpoints.
 */
@NullMarked
package io.idempotent.ui;

import org.jspecify.annotations.NullMarked;
