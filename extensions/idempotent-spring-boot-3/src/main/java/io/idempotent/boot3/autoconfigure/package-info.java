/**
 * What Spring Boot 3.5 names otherwise than Spring Boot 4.
 */
@NullMarked
package io.idempotent.boot3.autoconfigure;

import org.jspecify.annotations.NullMarked;
