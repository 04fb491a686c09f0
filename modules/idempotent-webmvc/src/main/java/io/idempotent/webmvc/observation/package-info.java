/**
 * The outcome of submissions in Spring MVC's own observation of requests.
 */
@NullMarked
package io.idempotent.webmvc.observation;

import org.jspecify.annotations.NullMarked;
