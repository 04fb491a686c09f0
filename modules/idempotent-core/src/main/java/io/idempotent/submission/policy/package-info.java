/**
 * The policies of operations, from annotations, properties and defaults.
 */
@NullMarked
package io.idempotent.submission.policy;

import org.jspecify.annotations.NullMarked;
