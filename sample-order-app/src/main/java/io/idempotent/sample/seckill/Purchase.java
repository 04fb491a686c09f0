package io.idempotent.sample.seckill;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * The one piece of an article that a customer got.
 *
 * @param id given by the database
 * @param sku the article
 * @param userId who got it
 * @param createdAt when
 */
@Table
record Purchase(@Id @Nullable Long id, String sku, String userId, Instant createdAt) {
}
