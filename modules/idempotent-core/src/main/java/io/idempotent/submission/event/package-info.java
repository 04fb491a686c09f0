/** What the state machine reports: submissions, events, calls of the store, outages. */
@NullMarked
package io.idempotent.submission.event;

import org.jspecify.annotations.NullMarked;
