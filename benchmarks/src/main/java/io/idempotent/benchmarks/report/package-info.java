/**
 * What was measured, as Markdown, JSON and charts.
 */
@NullMarked
package io.idempotent.benchmarks.report;

import org.jspecify.annotations.NullMarked;
