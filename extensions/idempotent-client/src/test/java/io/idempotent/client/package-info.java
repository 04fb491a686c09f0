/**
 * Tests of the client, without a server.
 */
@NullMarked
package io.idempotent.client;

import org.jspecify.annotations.NullMarked;
