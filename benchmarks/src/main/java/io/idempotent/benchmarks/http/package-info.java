/**
 * What the starter adds to requests over a real Tomcat, with Redis behind it.
 */
@NullMarked
package io.idempotent.benchmarks.http;

import org.jspecify.annotations.NullMarked;
