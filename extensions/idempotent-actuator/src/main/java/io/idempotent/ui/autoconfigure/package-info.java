/**
 * Auto-configuration and properties of the page for operators.
 */
@NullMarked
package io.idempotent.ui.autoconfigure;

import org.jspecify.annotations.NullMarked;
