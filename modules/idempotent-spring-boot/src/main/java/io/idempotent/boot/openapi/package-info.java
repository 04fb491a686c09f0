/**
 * Documents idempotent operations in the OpenAPI documents of springdoc.
 */
@NullMarked
package io.idempotent.boot.openapi;

import org.jspecify.annotations.NullMarked;
