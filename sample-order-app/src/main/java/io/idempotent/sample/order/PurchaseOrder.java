package io.idempotent.sample.order;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An order that was placed.
 *
 * @param id given by the database
 * @param userId who ordered
 * @param sku what was ordered
 * @param quantity how many
 * @param createdAt when
 */
@Table
record PurchaseOrder(@Id @Nullable Long id, String userId, String sku, int quantity, Instant createdAt) {
}
