/**
 * Sales of scarce goods, one to a customer: a lock for each customer and article.
 */
@NullMarked
package io.idempotent.sample.seckill;

import org.jspecify.annotations.NullMarked;
