package io.idempotent.steps.autoconfigure;

import io.idempotent.steps.WhenChanged;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Operations with steps.
 *
 * @param whenChanged What happens to a repeat that meets a new step before one that is
 * done: its code has changed since.
 */
@ConfigurationProperties("idempotent.steps")
record StepsProperties(@DefaultValue("refuse") WhenChanged whenChanged) {
}
