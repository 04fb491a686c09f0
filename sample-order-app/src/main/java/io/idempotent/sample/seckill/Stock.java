package io.idempotent.sample.seckill;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * The stock of an article.
 *
 * @param sku the article
 * @param amount the number of remaining pieces
 * @param version incremented with every sale
 */
@Table
record Stock(@Id String sku, int amount, long version) {
}
