/** Mutations over HTTP and WebSocket. */
@NullMarked
package io.idempotent.graphql;

import org.jspecify.annotations.NullMarked;
