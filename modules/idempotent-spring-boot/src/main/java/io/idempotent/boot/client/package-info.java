/**
 * Auto-configuration and properties of the clients.
 */
@NullMarked
package io.idempotent.boot.client;

import org.jspecify.annotations.NullMarked;
