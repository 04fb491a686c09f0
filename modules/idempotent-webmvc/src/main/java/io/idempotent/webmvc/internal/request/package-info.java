/** The content of a request, read for the fingerprint and readable again. */
@NullMarked
package io.idempotent.webmvc.internal.request;

import org.jspecify.annotations.NullMarked;
