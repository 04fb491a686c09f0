/**
 * The OpenAPI document of an application with idempotent operations.
 */
@NullMarked
package io.idempotent.openapi;

import org.jspecify.annotations.NullMarked;
