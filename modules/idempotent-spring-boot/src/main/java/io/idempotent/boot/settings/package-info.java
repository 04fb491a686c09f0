/** How the auto-configurations of this library and of its extensions read settings. */
@NullMarked
package io.idempotent.boot.settings;

import org.jspecify.annotations.NullMarked;
