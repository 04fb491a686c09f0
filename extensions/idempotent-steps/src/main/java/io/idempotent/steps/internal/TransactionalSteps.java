package io.idempotent.steps.internal;

/** What transactional steps need: a transaction, and the tables that are part of it. */
record TransactionalSteps(StepTransaction transaction, StepTables tables) {
}
