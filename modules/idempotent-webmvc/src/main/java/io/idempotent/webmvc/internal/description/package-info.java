/** Operations as they are described to clients. */
@NullMarked
package io.idempotent.webmvc.internal.description;

import org.jspecify.annotations.NullMarked;
