package io.idempotent.versions;

/**
 * On Spring Boot 3.5.
 */
class SpringBoot35Tests extends VersionContract {

}
