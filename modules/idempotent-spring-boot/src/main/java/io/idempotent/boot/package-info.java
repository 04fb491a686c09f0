/**
 * Auto-configuration: what an application gets without asking, and how it backs off.
 */
@NullMarked
package io.idempotent.boot;

import org.jspecify.annotations.NullMarked;
