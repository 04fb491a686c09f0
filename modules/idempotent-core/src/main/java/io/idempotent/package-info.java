/**
 * What an application writes against: annotations, policies, the context of a running
 * operation, and the beans it may contribute.
 */
@NullMarked
package io.idempotent;

import org.jspecify.annotations.NullMarked;
