/**
 * A script for browsers that submits forms and JSON requests once, and repeats them where
 * that helps.
 */
@NullMarked
package io.idempotent.webmvc.script;

import org.jspecify.annotations.NullMarked;
