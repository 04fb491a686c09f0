/**
 * What is checked of handler methods, and forms of Thymeleaf.
 */
@NullMarked
package io.idempotent.boot.internal.web;

import org.jspecify.annotations.NullMarked;
