package io.idempotent.sample.subscription;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

/**
 * A request for a subscription.
 *
 * @param tea what is delivered each month
 * @param email of the customer
 */
record NewSubscription(@NotBlank @Size(max = 64) String tea, @NotNull @Email @Size(max = 100) String email) {
}
