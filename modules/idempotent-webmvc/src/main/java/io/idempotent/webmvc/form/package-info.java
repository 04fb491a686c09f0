/**
 * The hidden field with a token in forms, and the form that sends refused entries again.
 * Internal to this module; start with
 * {@link io.idempotent.webmvc.form.TokenFieldProcessor}.
 */
@NullMarked
package io.idempotent.webmvc.form;

import org.jspecify.annotations.NullMarked;
