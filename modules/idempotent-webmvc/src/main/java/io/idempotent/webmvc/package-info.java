/**
 * Idempotency for Spring MVC: filter, interceptor, token endpoint, problem answers.
 */
@NullMarked
package io.idempotent.webmvc;

import org.jspecify.annotations.NullMarked;
