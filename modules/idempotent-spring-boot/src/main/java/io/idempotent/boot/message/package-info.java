/** The identities of messages: CloudEvents, Spring Messaging, Kafka, AMQP and JMS. */
@NullMarked
package io.idempotent.boot.message;

import org.jspecify.annotations.NullMarked;
