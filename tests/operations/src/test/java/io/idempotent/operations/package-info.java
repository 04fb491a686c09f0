/**
 * What operators are given, checked against an application that runs.
 */
@NullMarked
package io.idempotent.operations;

import org.jspecify.annotations.NullMarked;
