/**
 * JSON in a form that can be compared: what every entrance counts as the same content.
 */
@NullMarked
package io.idempotent.json;

import org.jspecify.annotations.NullMarked;
