package io.idempotent.aot.bank;

import java.math.BigDecimal;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;

/**
 * What is paid.
 *
 * @param id the number of the payment
 * @param amount the amount
 */
public record Payment(@NotBlank String id, @Positive BigDecimal amount) {
}
