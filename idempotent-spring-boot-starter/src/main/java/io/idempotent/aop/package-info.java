/**
 * Where annotations meet method calls: advisors and the expressions they evaluate.
 */
@NullMarked
package io.idempotent.aop;

import org.jspecify.annotations.NullMarked;
