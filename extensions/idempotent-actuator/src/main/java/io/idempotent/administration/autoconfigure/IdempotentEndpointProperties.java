package io.idempotent.administration.autoconfigure;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the endpoint, beside those that every endpoint has.
 *
 * @param showResponse When to show the stored body of a response or result.
 * @param roles Roles of users to whom the stored body is shown, if it is shown when
 * authorized. When empty, every authenticated user is authorized.
 */
@ConfigurationProperties("management.endpoint.idempotent")
record IdempotentEndpointProperties(@DefaultValue("never") Show showResponse, @DefaultValue Set<String> roles) {
}
