/** Results and keys of calls as JSON, by Jackson. */
@NullMarked
package io.idempotent.boot.internal.json;

import org.jspecify.annotations.NullMarked;
