/**
 * Applications that are processed ahead of time, initialized lazily, restarted, or
 * started from an archive of classes.
 */
package io.idempotent.aot;
