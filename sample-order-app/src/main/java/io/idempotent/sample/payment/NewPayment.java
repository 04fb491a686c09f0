package io.idempotent.sample.payment;

import java.math.BigDecimal;

import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;

/**
 * What a caller wants to pay.
 *
 * @param orderId the order to settle
 * @param amount how much
 */
record NewPayment(@Positive long orderId, @NotNull @Positive @Digits(integer = 12, fraction = 2) BigDecimal amount) {
}
