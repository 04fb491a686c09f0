/**
 * Auto-configuration and properties of the clients.
 */
@NullMarked
package io.idempotent.client.autoconfigure;

import org.jspecify.annotations.NullMarked;
