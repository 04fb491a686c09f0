/** One submission of an operation by a request, from its key to its recorded response. */
@NullMarked
package io.idempotent.webmvc.internal.submission;

import org.jspecify.annotations.NullMarked;
