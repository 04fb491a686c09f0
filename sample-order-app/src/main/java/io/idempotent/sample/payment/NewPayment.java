package io.idempotent.sample.payment;

import java.math.BigDecimal;

import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;

/**
 * A request for a payment.
 *
 * @param orderId the order to settle
 * @param amount the amount
 */
record NewPayment(@Positive long orderId, @NotNull @Positive @Digits(integer = 12, fraction = 2) BigDecimal amount) {
}
