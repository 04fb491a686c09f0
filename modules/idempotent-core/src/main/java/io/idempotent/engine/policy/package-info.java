/**
 * The policies of operations, from annotations, properties and defaults.
 */
@NullMarked
package io.idempotent.engine.policy;

import org.jspecify.annotations.NullMarked;
