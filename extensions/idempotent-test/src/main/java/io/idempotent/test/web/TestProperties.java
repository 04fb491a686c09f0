package io.idempotent.test.web;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of tests.
 *
 * @param addKeys Whether requests of tests get the keys that they do not have. Read by
 * the module idempotent-test.
 */
@ConfigurationProperties("idempotent.test")
record TestProperties(@DefaultValue("false") boolean addKeys) {

}
