/**
 * Idempotent handler methods of Spring MVC: filter, interceptors, form tokens, problem
 * documents.
 */
@NullMarked
package io.idempotent.webmvc;

import org.jspecify.annotations.NullMarked;
