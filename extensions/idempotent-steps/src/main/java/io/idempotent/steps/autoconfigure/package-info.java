/** Auto-configuration for operations with steps. */
@NullMarked
package io.idempotent.steps.autoconfigure;

import org.jspecify.annotations.NullMarked;
