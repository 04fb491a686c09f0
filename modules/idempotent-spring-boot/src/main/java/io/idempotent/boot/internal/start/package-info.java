/**
 * What is checked and told when an application starts, and the hints of a native image.
 */
@NullMarked
package io.idempotent.boot.internal.start;

import org.jspecify.annotations.NullMarked;
