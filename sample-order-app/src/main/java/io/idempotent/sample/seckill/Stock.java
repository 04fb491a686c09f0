package io.idempotent.sample.seckill;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * What is left of an article.
 *
 * @param sku the article
 * @param amount how many are left
 * @param version grows with every sale
 */
@Table
record Stock(@Id String sku, int amount, long version) {
}
