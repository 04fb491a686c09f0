/** Filter, interceptors and resolvers that the container and Spring MVC call. */
@NullMarked
package io.idempotent.webmvc.internal.dispatch;

import org.jspecify.annotations.NullMarked;
