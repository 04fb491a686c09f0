/**
 * Models of protocols, and the properties that they must have in every state.
 */
@NullMarked
package io.idempotent.model;

import org.jspecify.annotations.NullMarked;
