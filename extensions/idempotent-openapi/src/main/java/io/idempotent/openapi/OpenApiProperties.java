package io.idempotent.openapi;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of OpenAPI documents of springdoc.
 *
 * @param enabled Whether to document idempotent operations, if springdoc is on the class
 * path.
 */
@ConfigurationProperties("idempotent.web.openapi")
record OpenApiProperties(@DefaultValue("true") boolean enabled) {
}
