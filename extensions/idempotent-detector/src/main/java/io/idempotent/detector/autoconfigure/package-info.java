/**
 * Auto-configuration, properties and endpoint of the detector.
 */
@NullMarked
package io.idempotent.detector.autoconfigure;

import org.jspecify.annotations.NullMarked;
