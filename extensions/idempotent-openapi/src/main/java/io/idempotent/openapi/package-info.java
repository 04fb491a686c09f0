/**
 * Documents idempotent operations in the OpenAPI documents of springdoc.
 */
@NullMarked
package io.idempotent.openapi;

import org.jspecify.annotations.NullMarked;
