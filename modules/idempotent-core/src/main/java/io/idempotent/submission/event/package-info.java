/** What the state machine reports: events, calls of the store and its outages. */
@NullMarked
package io.idempotent.submission.event;

import org.jspecify.annotations.NullMarked;
