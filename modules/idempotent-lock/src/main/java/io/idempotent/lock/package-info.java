/** The API of distributed locks: annotation, template, locks and their events. */
@NullMarked
package io.idempotent.lock;

import org.jspecify.annotations.NullMarked;
