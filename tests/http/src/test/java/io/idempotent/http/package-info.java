/**
 * Handlers of many kinds, each of which answers with the starter as it does without.
 */
@NullMarked
package io.idempotent.http;

import org.jspecify.annotations.NullMarked;
