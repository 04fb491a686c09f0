package io.idempotent.crash;

/**
 * One operation whose first submission comes to harm.
 *
 * @param treatment how it wants to be treated
 * @param point how far the first submission comes
 * @param key names the operation
 * @param early whether the second submission comes before the harm is done
 */
record Trial(Treatment treatment, CrashPoint point, String key, boolean early) {
}
