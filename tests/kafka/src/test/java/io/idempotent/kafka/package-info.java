/**
 * An application that books payments from Kafka, and what may happen to it.
 */
@NullMarked
package io.idempotent.kafka;

import org.jspecify.annotations.NullMarked;
