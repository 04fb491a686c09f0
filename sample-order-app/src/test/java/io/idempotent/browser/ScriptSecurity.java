package io.idempotent.browser;

import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Security of two kinds for the {@link ScriptPages}. The operations page has the one for
 * scripts, too.
 */
public class ScriptSecurity {

	@Bean
	SecurityFilterChain secured(HttpSecurity http) {
		return open(http.securityMatcher("/script/secured/**")).build();
	}

	@Bean
	SecurityFilterChain spa(HttpSecurity http) {
		return open(http.securityMatcher("/script/spa/**")).csrf(CsrfConfigurer::spa).build();
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	SecurityFilterChain operators(HttpSecurity http) {
		return http.securityMatcher("/idempotent/**", "/actuator/**", "/login")
			.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.formLogin((login) -> login.defaultSuccessUrl("/idempotent"))
			.csrf(CsrfConfigurer::spa)
			.build();
	}

	private static HttpSecurity open(HttpSecurity http) {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll());
	}

}
