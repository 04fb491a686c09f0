/**
 * Auto-configuration of the identity of event publications.
 */
@NullMarked
package io.idempotent.modulith.autoconfigure;

import org.jspecify.annotations.NullMarked;
