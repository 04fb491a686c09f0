/**
 * A real Redis that lives and dies with this JVM.
 */
@NullMarked
package io.idempotent.embedded;

import org.jspecify.annotations.NullMarked;
