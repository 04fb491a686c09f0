/**
 * Mutations of Spring for GraphQL: the keys that clients send, and refusals as GraphQL
 * errors.
 */
@NullMarked
package io.idempotent.graphql;

import org.jspecify.annotations.NullMarked;
