/**
 * The hidden field with a token in forms, and the form that sends refused entries again.
 * Start with {@link io.idempotent.form.TokenFieldProcessor}.
 */
@NullMarked
package io.idempotent.form;

import org.jspecify.annotations.NullMarked;
