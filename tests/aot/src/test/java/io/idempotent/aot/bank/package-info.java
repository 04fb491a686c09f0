/**
 * An application that uses every kind of key, a lock, and receipts.
 */
package io.idempotent.aot.bank;
