package io.idempotent.sample.order;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/**
 * A request for an order.
 *
 * @param userId the customer
 * @param sku the article
 * @param quantity the number of pieces
 */
public record NewOrder(@NotBlank @Size(max = 64) String userId, @NotBlank @Size(max = 64) String sku,
		@Positive @Max(10_000) int quantity) {
}
