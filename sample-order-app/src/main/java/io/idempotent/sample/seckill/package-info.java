/**
 * Sales of scarce goods, one piece per customer: one lock for each customer and article.
 */
@NullMarked
package io.idempotent.sample.seckill;

import org.jspecify.annotations.NullMarked;
