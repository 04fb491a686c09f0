package io.idempotent.sample.order;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/**
 * An order form.
 *
 * @param userId who orders
 * @param sku what is ordered
 * @param quantity how many
 */
record NewOrder(@NotBlank @Size(max = 64) String userId, @NotBlank @Size(max = 64) String sku,
		@Positive @Max(10_000) int quantity) {
}
