/**
 * What the tests of a build came to.
 */
@NullMarked
package io.idempotent.summary;

import org.jspecify.annotations.NullMarked;
