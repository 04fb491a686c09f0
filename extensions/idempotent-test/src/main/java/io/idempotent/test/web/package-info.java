/** Tests of HTTP operations, with MockMvc or {@code RestTestClient}. */
@NullMarked
package io.idempotent.test.web;

import org.jspecify.annotations.NullMarked;
