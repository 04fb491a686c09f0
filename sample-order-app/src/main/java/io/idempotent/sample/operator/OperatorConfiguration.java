package io.idempotent.sample.operator;

import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

import static org.springframework.security.config.Customizer.withDefaults;

/**
 * Only an operator sees the operations page and its endpoints. The rest of the shop needs
 * no login, and has no filter chain.
 */
@Configuration(proxyBeanMethods = false)
class OperatorConfiguration {

	private static final String[] PATHS = { "/idempotent/**", "/actuator/idempotent/**", "/actuator/idempotentsteps/**",
			"/actuator/idempotentdetector/**", "/actuator/locks/**", "/actuator/auditevents/**", "/login", "/logout",
			"/default-ui.css" };

	@Bean
	SecurityFilterChain operatorSecurity(HttpSecurity http) {
		return http.securityMatcher(PATHS)
			.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.formLogin((login) -> login.defaultSuccessUrl("/idempotent"))
			.httpBasic(withDefaults())
			// A browser logs in by the form, and then needs a CSRF token, whatever other
			// headers it sends. Programs such as curl send the password with each request
			// and no session.
			.csrf((csrf) -> csrf
				.ignoringRequestMatchers((request) -> request.getHeader(HttpHeaders.AUTHORIZATION) != null
						&& request.getRequestedSessionId() == null))
			.build();
	}

	@Bean
	AuditEventRepository auditEventRepository() {
		return new InMemoryAuditEventRepository();
	}

}
