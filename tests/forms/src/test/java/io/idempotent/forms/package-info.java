/**
 * Forms that Thymeleaf and JSP render, on Tomcat with Spring Security.
 */
@NullMarked
package io.idempotent.forms;

import org.jspecify.annotations.NullMarked;
