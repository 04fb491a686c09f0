/**
 * Applications that book payments from JMS and AMQP brokers, and what may happen to them.
 */
@NullMarked
package io.idempotent.messaging;

import org.jspecify.annotations.NullMarked;
