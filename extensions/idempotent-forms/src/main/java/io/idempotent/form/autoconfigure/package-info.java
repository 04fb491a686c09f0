/**
 * Auto-configuration of forms and of the script for browsers.
 */
@NullMarked
package io.idempotent.form.autoconfigure;

import org.jspecify.annotations.NullMarked;
