/**
 * What the container and Spring MVC call: a filter, interceptors and exception resolvers.
 */
@NullMarked
package io.idempotent.webmvc.internal.dispatch;

import org.jspecify.annotations.NullMarked;
