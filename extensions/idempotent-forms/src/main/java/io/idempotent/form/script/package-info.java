/**
 * A script for browsers that submits forms and JSON requests once, and repeats them where
 * that helps.
 */
@NullMarked
package io.idempotent.form.script;

import org.jspecify.annotations.NullMarked;
