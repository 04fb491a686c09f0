/** Auto-configuration of observations. */
@NullMarked
package io.idempotent.boot.observation;

import org.jspecify.annotations.NullMarked;
