/** Creates and connects the parts. Not for applications. */
@NullMarked
package io.idempotent.webmvc.internal;

import org.jspecify.annotations.NullMarked;
