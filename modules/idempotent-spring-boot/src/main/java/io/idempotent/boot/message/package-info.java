/**
 * The identities of messages: CloudEvents, Spring Messaging, Kafka, AMQP, JMS and the
 * events of Spring Modulith.
 */
@NullMarked
package io.idempotent.boot.message;

import org.jspecify.annotations.NullMarked;
