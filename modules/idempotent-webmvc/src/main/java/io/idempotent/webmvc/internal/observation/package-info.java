/** Adds the outcome of a submission to Spring MVC's own observation of its request. */
@NullMarked
package io.idempotent.webmvc.internal.observation;

import org.jspecify.annotations.NullMarked;
