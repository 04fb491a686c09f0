package io.idempotent.persistence;

/**
 * What happens inside each transaction, after the effect.
 */
@FunctionalInterface
interface Interruption extends Runnable {

}
