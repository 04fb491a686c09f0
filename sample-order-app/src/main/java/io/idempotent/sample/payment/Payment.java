package io.idempotent.sample.payment;

import java.math.BigDecimal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A payment that settled an order.
 *
 * @param id given by the database
 * @param orderId the order
 * @param amount how much
 * @param createdAt when
 */
@Table
record Payment(@Id @Nullable Long id, long orderId, BigDecimal amount, Instant createdAt) {
}
