/** Results and keys of calls as JSON. */
@NullMarked
package io.idempotent.method.json;

import org.jspecify.annotations.NullMarked;
