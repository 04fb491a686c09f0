/** Idempotent handler methods of Spring MVC: filter, interceptors, tokens, problems. */
@NullMarked
package io.idempotent.webmvc;

import org.jspecify.annotations.NullMarked;
