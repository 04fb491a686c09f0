/** Tests of applications: operations and locks in the memory of the test. */
@NullMarked
package io.idempotent.test;

import org.jspecify.annotations.NullMarked;
