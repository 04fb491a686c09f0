/**
 * Auto-configuration and properties of the page for operators.
 */
@NullMarked
package io.idempotent.boot.ui;

import org.jspecify.annotations.NullMarked;
