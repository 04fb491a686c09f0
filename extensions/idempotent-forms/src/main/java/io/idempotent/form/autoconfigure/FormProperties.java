package io.idempotent.form.autoconfigure;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of forms of server-rendered pages.
 *
 * @param enabled Whether forms that submit an operation with a token get a hidden field
 * with one. Thymeleaf and Spring's JSP tags add it.
 * @param secretFields Names of form fields that the page of a refused form asks for again
 * instead of keeping their values, besides those recognised by their names, such as
 * passwords.
 */
@ConfigurationProperties("idempotent.web.forms")
record FormProperties(@DefaultValue("true") boolean enabled, @DefaultValue List<String> secretFields) {

}
